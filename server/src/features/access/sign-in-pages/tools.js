// Runs in the visitor's browser. Small helps that the pages work without: passwords can be shown, recovery codes copied
// and printed.
const { show, hide } = document.body.dataset
for (const input of document.querySelectorAll('input[type=password]')) {
  const box = Object.assign(document.createElement('div'), { className: 'peek' })
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'button',
    textContent: show,
  })
  button.setAttribute('aria-controls', input.id)
  input.replaceWith(box)
  box.append(input, button)
  if (input.autofocus) input.focus()
  button.addEventListener('click', () => {
    const isShown = input.type === 'text'
    input.type = isShown ? 'password' : 'text'
    button.textContent = isShown ? show : hide
  })
  // Password managers save only what was sent as a password.
  input.form?.addEventListener('submit', () => {
    input.type = 'password'
  })
}

// A form that works once: Back from the next page would ask to send it again, so the entry in the history changes.
for (const form of document.querySelectorAll('form[data-after]'))
  form.addEventListener('submit', () => history.replaceState(null, '', form.dataset.after))

for (const holder of document.querySelectorAll('[data-codes]')) {
  const [copy, print] = holder.querySelectorAll('button')
  holder.hidden = false
  // Browsers have it on https pages and on localhost.
  copy.hidden = !navigator.clipboard
  copy.addEventListener('click', async () => {
    const codes = [...holder.parentElement.querySelectorAll('.codes li')].map(item => item.textContent)
    await navigator.clipboard.writeText(codes.join('\n'))
    copy.textContent = copy.dataset.done
  })
  print.addEventListener('click', () => window.print())
}
