// Runs in the visitor's browser. The token of the link is behind the #, which browsers do not send: the script puts it
// into the form, and takes it out of the address bar and the history.
const token = location.hash.slice(1)
const holder = document.querySelector('[data-fragment]')
if (/^[\w-]+$/.test(token) && holder) {
  const input = holder.querySelector('input')
  input.value = token
  history.replaceState(null, '', location.pathname + location.search)
  if ('send' in input.form.dataset) input.form.submit()
  else {
    holder.hidden = true
    input.form.querySelector('input:not([type=hidden]):not([name=token])')?.focus()
  }
}
