/** The style of a session's document: the page's colours and sizes, without anything to load. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fbfbfa;--sunken:#f3f3f1;--line:#d8d8d4;--text:#1b1c1e;--muted:#5b5e63;--accent:#0b6b4d;--added:#e5f5ea;--removed:#fdecea;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ground:#121315;--sunken:#1e2023;--line:#33363b;--text:#e3e4e6;--muted:#9da1a8;--accent:#63cda4;--added:#12291b;--removed:#331a1a;--bad:#ff8f86}}
*{box-sizing:border-box}
body{max-width:900px;margin:0 auto;padding:24px 16px 80px;background:var(--ground);color:var(--text);font:14px/1.58 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{margin:0 0 4px;font-size:20px;line-height:1.3}
h2{margin:26px 0 6px;padding-top:8px;border-top:1px solid var(--line);color:var(--muted);font-size:12px;font-weight:400}
h2 a{margin-right:8px;color:var(--text);font-weight:650;text-decoration:none}
a{color:var(--accent)}
p,ol,ul{margin:6px 0}
.facts,footer,time{color:var(--muted);font-size:12px}
.facts span{display:inline-block;margin-right:14px}
footer{margin-top:32px;padding-top:8px;border-top:1px solid var(--line)}
.text{margin:8px 0}
.text p{white-space:pre-wrap}
h3,h4,h5,h6{margin:12px 0 4px;font-size:15px}
blockquote{margin:6px 0;padding-left:12px;border-left:3px solid var(--line)}
table{border-collapse:collapse}
th,td{padding:3px 8px;border:1px solid var(--line);text-align:left;vertical-align:top}
.prompt{margin:0 0 10px;padding:2px 12px;border-left:3px solid var(--accent);background:var(--sunken)}
pre,code{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px}
pre{margin:6px 0;padding:8px 10px;border:1px solid var(--line);border-radius:5px;background:var(--sunken);white-space:pre-wrap;max-height:560px;overflow:auto}
.added{background:var(--added)}
.removed{background:var(--removed)}
details{margin:4px 0;padding:2px 10px;border:1px solid var(--line);border-radius:5px}
summary{cursor:pointer}
.tool summary,.outline summary{font-size:13px}
.tool summary code{color:var(--muted)}
.tool em{color:var(--bad);font-style:normal}
.thinking{color:var(--muted);font-size:12px}
img{display:block;max-width:100%;margin:8px 0;border:1px solid var(--line)}
@media print{pre{max-height:none}}
`;
