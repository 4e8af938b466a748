// Runs in the visitor's browser. Small helps that the pages work without: passwords can be shown, recovery codes copied
// and printed, and times are those of the browser's time zone.
const { show, hide } = document.body.dataset
for (const input of document.querySelectorAll('input[type=password]')) {
  const box = Object.assign(document.createElement('div'), { className: 'peek' })
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: show })
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

// The dashboard stores a language in the browser where it cannot store it with the account: this choice is newer.
document.querySelector('form[action$="/profile"]')?.addEventListener('submit', () => {
  localStorage.removeItem('signoff.language')
})

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

const locale = document.documentElement.lang === 'de' ? 'de-DE' : 'en-GB'
const date = { day: 'numeric', month: 'long', year: 'numeric' }
const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }
for (const element of document.querySelectorAll('time')) {
  const text = new Date(element.dateTime).toLocaleString(locale, { ...date, ...time })
  element.textContent = text.replace(/ (?:at|um) /, ', ')
}
