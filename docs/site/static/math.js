// Formulas by KaTeX, from files of the site: nothing is fetched from elsewhere.
addEventListener('DOMContentLoaded', () => renderMathInElement(document.body, {
  delimiters: [{left: '\\[', right: '\\]', display: true}, {left: '\\(', right: '\\)', display: false}],
  throwOnError: false,
}));
