// vitest replaces each `import()` in the files it transforms. It leaves this one to Node.
module.exports = (url) => import(url);
