/** Copies rich text: mail programs take the HTML, editors of plain text the text. */
export async function copySignature({
  html,
  text,
}: {
  readonly html: string
  readonly text: string
}): Promise<void> {
  const data = { 'text/html': html, 'text/plain': text }
  if (globalThis.ClipboardItem && navigator.clipboard?.write) {
    const blobs = Object.entries(data).map(([type, content]) => [type, new Blob([content], { type })])
    return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
  }
  // Without https browsers know only the older way.
  const fill = (event: ClipboardEvent) => {
    event.preventDefault()
    for (const [type, content] of Object.entries(data)) event.clipboardData?.setData(type, content)
  }
  document.addEventListener('copy', fill, { once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill)
  if (!isCopied) throw new Error('The browser refused to copy.')
}
