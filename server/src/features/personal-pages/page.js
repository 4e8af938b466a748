// Runs in the browser of whoever looks at their page. Copies what the service sent, not what the browser made of it.
const { version, texts, states } = JSON.parse(document.getElementById('copies').textContent)
const said = document.getElementById('said')
const state = document.getElementById('state')

const forms = {
  rich: ({ html, text }) => ({ 'text/html': html, 'text/plain': text }),
  text: ({ text }) => ({ 'text/plain': text }),
  source: ({ html }) => ({ 'text/plain': html }),
}
const done = {
  rich: 'Copied. Now paste it into your mail program: the steps are below.',
  text: 'Copied as plain text.',
  source: 'The HTML source is copied.',
}
const refused =
  'Your browser does not allow copying here. The signature is selected: press Ctrl+C, or ⌘C on a Mac.'

function select(element) {
  const selection = getSelection()
  selection.removeAllRanges()
  const range = document.createRange()
  range.selectNodeContents(element)
  selection.addRange(range)
  return selection
}

/** First, because the newer way has browsers write the HTML anew, and exists on https alone. */
function copyByCommand(form, shown) {
  let isFilled = false
  const fill = event => {
    for (const [type, text] of Object.entries(form)) event.clipboardData.setData(type, text)
    event.preventDefault()
    isFilled = true
  }
  document.addEventListener('copy', fill, true)
  const selection = select(shown) // Safari copies nothing where nothing is selected
  const isDone = document.execCommand('copy')
  document.removeEventListener('copy', fill, true)
  selection.removeAllRanges()
  return isDone && isFilled
}

function copyByClipboard(form) {
  const blobs = Object.entries(form).map(([type, text]) => [type, new Blob([text], { type })])
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
}

async function tellService() {
  const path = location.pathname.replace(/\/$/, '')
  const answer = await fetch(`${path}/copied?version=${version}`, { method: 'POST' })
  if (!answer.ok) return
  const { data } = await answer.json()
  state.dataset.state = data.state
  state.textContent = states[data.state]
}

async function copy(how, kind) {
  const form = forms[how](texts[kind])
  const shown = document.getElementById(`own-${kind}`)
  said.textContent = ''
  try {
    if (!copyByCommand(form, shown)) await copyByClipboard(form)
  } catch {
    select(shown)
    said.textContent = refused
    return
  }
  said.textContent = done[how]
  // What is in the mailbox is told by the signature for new mail alone. Without an answer the page just stays as it is.
  if (kind === 'new') await tellService().catch(() => undefined)
}

for (const button of document.querySelectorAll('[data-copy]'))
  button.addEventListener('click', () => copy(button.dataset.copy, button.dataset.kind))
for (const buttons of document.querySelectorAll('.buttons')) buttons.hidden = false
document.getElementById('by-hand').hidden = true
