// vitest replaces each `import()` in the files it transforms, but not in this one.
module.exports = (url) => import(url);
