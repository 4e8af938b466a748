// Runs in the visitor's browser. Adds a button to each block of code that copies it.

/** The clipboard of browsers exists on https and localhost only. */
function copyBySelection(block) {
  const selection = getSelection()
  selection.selectAllChildren(block)
  const isDone = document.execCommand('copy')
  selection.removeAllRanges()
  if (!isDone) throw new Error('the browser does not allow copying')
}

async function copy(block, button) {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(block.textContent)
    else copyBySelection(block)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not allowed'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2_000)
}

for (const block of document.querySelectorAll('pre > code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => copy(block, button))
  block.parentElement.before(button)
}
