// Formulas by KaTeX, from files of the site: nothing is fetched from elsewhere. This script is loaded asynchronously.
{
  const typeset = () => renderMathInElement(document.body, {
    delimiters: [{left: '\\[', right: '\\]', display: true}, {left: '\\(', right: '\\)', display: false}],
    throwOnError: false,
  });
  if (document.readyState === 'complete') typeset(); else addEventListener('load', typeset);
}
