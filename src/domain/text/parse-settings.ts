/** Parses the text of config.json. Accepts comments, because the requirements document shows a file with some. */
export function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = text.replace(/"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
      part.startsWith('"') ? part : '',
    );
    if (plain === text) throw error;
    return JSON.parse(plain);
  }
}
