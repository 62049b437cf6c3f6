/** A stretch of a text; `end` is exclusive. */
interface Run {
  start: number;
  end: number;
}

/**
 * A function that finds runs of at least `least` of the given ASCII characters. Each run covers a multiple of `least`, so only these
 * places are looked at first: a regular expression would look at every character.
 */
export function createRunFinder(characters: RegExp, least: number): (text: string) => Run[] {
  const isIn = new Uint8Array(128);
  for (let code = 0; code < 128; code += 1) if (characters.test(String.fromCharCode(code))) isIn[code] = 1;
  return (text) => {
    const runs: Run[] = [];
    const has = (at: number) => isIn[text.charCodeAt(at)] === 1;
    let floor = 0;
    for (let at = least - 1; at < text.length; at += least) {
      if (!has(at)) continue;
      let start = at;
      while (start > floor && has(start - 1)) start -= 1;
      let end = at + 1;
      while (end < text.length && has(end)) end += 1;
      if (end - start >= least) runs.push({ start, end });
      floor = end;
      at = Math.max(at, end - (end % least) - 1);
    }
    return runs;
  };
}
