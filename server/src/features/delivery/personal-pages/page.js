// Runs in the visitor's browser. Copies the HTML that the service sent, not the DOM that the browser built from it.
const { version, texts, states, copied, refused } = JSON.parse(document.getElementById('copies').textContent)
const status = document.getElementById('said')
const state = document.getElementById('state')

const forms = {
  rich: ({ html, text }) => ({ 'text/html': html, 'text/plain': text }),
  text: ({ text }) => ({ 'text/plain': text }),
  source: ({ html }) => ({ 'text/plain': html }),
}

function select(element) {
  const selection = getSelection()
  selection.removeAllRanges()
  const range = document.createRange()
  range.selectNodeContents(element)
  selection.addRange(range)
  return selection
}

/** Tried first: with the newer Clipboard API the browser rewrites the HTML, and that API exists on https only. */
function copyByCommand(form, element) {
  let isFilled = false
  const fill = event => {
    for (const [type, text] of Object.entries(form)) event.clipboardData.setData(type, text)
    event.preventDefault()
    isFilled = true
  }
  document.addEventListener('copy', fill, true)
  const selection = select(element) // Safari copies nothing without a selection
  const isDone = document.execCommand('copy')
  document.removeEventListener('copy', fill, true)
  selection.removeAllRanges()
  return isDone && isFilled
}

function copyByClipboard(form) {
  const blobs = Object.entries(form).map(([type, text]) => [type, new Blob([text], { type })])
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
}

async function reportCopy() {
  const path = location.pathname.replace(/\/$/, '')
  const response = await fetch(`${path}/copied?version=${version}`, { method: 'POST' })
  if (!response.ok) return
  const { data } = await response.json()
  state.dataset.state = data.state
  state.textContent = states[data.state]
}

async function copy(how, kind) {
  const form = forms[how](texts[kind])
  const element = document.getElementById(`own-${kind}`)
  status.textContent = ''
  try {
    if (!copyByCommand(form, element)) await copyByClipboard(form)
  } catch {
    select(element)
    status.textContent = refused
    return
  }
  status.textContent = copied[how]
  // Only a copy of the signature for new mail is reported. When the request fails, the page keeps its state.
  if (kind === 'new') await reportCopy().catch(() => undefined)
}

for (const button of document.querySelectorAll('[data-copy]'))
  button.addEventListener('click', () => copy(button.dataset.copy, button.dataset.kind))
for (const buttons of document.querySelectorAll('.buttons')) buttons.hidden = false
document.getElementById('by-hand').hidden = true
document.getElementById('on-dark').checked = matchMedia('(prefers-color-scheme: dark)').matches
