// Runs in the visitor's browser. The token of the link is behind the #, which browsers do not send: the script sends it by
// the form, and takes it out of the address bar and the history. Without a token the visitor pastes the link.
const token = location.hash.slice(1)
const form = document.querySelector('.by-hand')
if (/^[\w-]+$/.test(token)) {
  form.elements.token.value = token
  history.replaceState(null, '', location.pathname + location.search)
  form.submit()
} else form.classList.add('open')
