const COLUMNS = 80;
const COLUMN = 8.4;
const LINE = 19;
const MARGIN = 14;

interface Run {
  text: string;
  classes: string[];
}

/** A terminal of 80 columns that shows this output, as an SVG that is light or dark with the reader's browser. */
export function terminalSvg(output: string): string {
  const lines = output.trimEnd().split('\n').flatMap(wrapped);
  const width = Math.ceil(COLUMNS * COLUMN + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="smart-fork in a terminal">
<title>smart-fork in a terminal</title>
<style>
  rect { fill: #ffffff; stroke: #d0d7de; }
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
  .bold { font-weight: 700; } .dim { fill: #59636e; }
  .red { fill: #b3261e; } .green { fill: #116329; } .yellow { fill: #7d4e00; } .cyan { fill: #0b6273; }
  @media (prefers-color-scheme: dark) {
    rect { fill: #0d1117; stroke: #3d444d; } text { fill: #e6edf3; } .dim { fill: #9198a1; }
    .red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; } .cyan { fill: #56d4dd; }
  }
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6" />
${lines.map(lineSvg).join('\n')}
</svg>
`;
}

/** Each line has a fixed length, because the reader's font may be wider. */
function lineSvg(runs: Run[], at: number): string {
  const text = runs.map((run) => run.text).join('');
  if (text.trim() === '') return '';
  const y = MARGIN + at * LINE + 14;
  const spans = runs.map(({ text: words, classes }) =>
    classes.length === 0 ? escaped(words) : `<tspan class="${classes.join(' ')}">${escaped(words)}</tspan>`,
  );
  const length = (text.length * COLUMN).toFixed(1);
  return `<text x="${MARGIN}" y="${y}" textLength="${length}" xml:space="preserve">${spans.join('')}</text>`;
}

/** Wraps as a terminal does, at its last column. */
function wrapped(line: string): Run[][] {
  const rows: Run[][] = [[]];
  let used = 0;
  for (const { text, classes } of runsOf(line)) {
    for (let rest = text; rest !== ''; ) {
      if (used === COLUMNS) {
        rows.push([]);
        used = 0;
      }
      const part = rest.slice(0, COLUMNS - used);
      rows.at(-1)?.push({ text: part, classes });
      used += part.length;
      rest = rest.slice(part.length);
    }
  }
  return rows;
}

const CLASSES: Record<number, string> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};
/** What each code ends. */
const ENDS: Record<number, string[]> = { 22: ['bold', 'dim'], 39: ['red', 'green', 'yellow', 'cyan'] };

function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let classes: string[] = [];
  for (const [at, part] of line.split(/\u001b\[(\d+)m/).entries()) {
    if (at % 2 === 0) {
      if (part !== '') runs.push({ text: part, classes });
      continue;
    }
    const code = Number(part);
    const begun = CLASSES[code];
    if (begun !== undefined) classes = [...classes, begun];
    else if (ENDS[code] !== undefined) classes = classes.filter((one) => !ENDS[code]?.includes(one));
    else throw new Error(`no style for the code ${code}`);
  }
  return runs;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
