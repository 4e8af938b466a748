// Renders the page as HTML. The content security policy allows one style and one script, both by their hash, and blocks
// everything else that could run.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeText } from '@signoff/render'
import type { CopyableVariant, PageContent } from './rules.ts'
import { programs } from './steps.ts'

const readAsset = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const style = readAsset('page.css')
const script = readAsset('page.js')
const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Signatures are styled by attributes. `style-src` is for browsers without `style-src-elem` and `style-src-attr`. */
export const policyFor = (publicUrl: string): string =>
  [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    "style-src 'unsafe-inline'",
    `style-src-elem ${sourceOf(style)}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' ${new URL(publicUrl).origin} https:`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** JSON without `<`, so no value can close the script element around it. */
const embeddedJson = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c')

const documentOf = (main: string, after = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Your email signature</title>
<style>${style}</style>
</head>
<body class="page">
<main class="main">
${main}
</main>
${after}</body>
</html>
`

const states = {
  never: 'Your signature is ready. Copy it, then paste it into your mail program: it takes a minute.',
  outdated:
    'An update is available. Copy the signature again, and put it in the place of the one that you have.',
  current: 'You have the current signature. There is nothing to do; you may copy it again at any time.',
}
const copyStates = {
  current: 'You have the current signature. Paste it into your mail program, if you have not done so yet.',
  outdated:
    'Your signature has changed since this page was opened. Load the page again, then copy the new one.',
  none: 'There is no signature for this address any more. Load the page again to be sure.',
}

type Kind = 'new' | 'reply'
const labels: Readonly<Record<Kind, string>> = { new: 'For new mail', reply: 'For replies' }
const subjects: Readonly<Record<Kind, string>> = { new: 'New message', reply: 'Re: Your message' }

const button = (kind: Kind, how: string, label: string, more = ''): string =>
  `<button class="button${more}" type="button" data-copy="${how}" data-kind="${kind}">${label}</button>`

const panel = (kind: Kind, { html }: CopyableVariant): string => `<div class="for-${kind}">
<div class="mail">
<div class="head" aria-hidden="true">${subjects[kind]}</div>
<div class="words" aria-hidden="true">Hello,<br>here is what your mail will look like.</div>
<div class="sheet" role="group" aria-label="Signature ${labels[kind].toLowerCase()}" tabindex="0"><div class="own" id="own-${kind}">${html}</div></div>
</div>
<div class="buttons" hidden>
${button(kind, 'rich', 'Copy signature', ' first')}
${button(kind, 'text', 'Copy as plain text')}
${button(kind, 'source', 'Copy HTML source')}
</div>
</div>`

const noReply =
  '<p class="state for-reply">Replies carry no signature: choose “no signature” for replies in your mail program.</p>'

const option = (kind: Kind): string =>
  `<label class="option" for="kind-${kind}"><input class="box" type="radio" name="kind" id="kind-${kind}"${kind === 'new' ? ' checked' : ''}>${labels[kind]}</label>`

const choice = `<fieldset class="choice">
<legend class="legend">Which signature?</legend>
${option('new')}
${option('reply')}
</fieldset>
`

const steps = programs
  .map(
    ({ name, steps, note }) => `<details class="program">
<summary class="name">${escapeText(name)}</summary>
<ol class="steps">
${steps.map(step => `<li>${escapeText(step)}</li>`).join('\n')}
</ol>
${note === undefined ? '' : `<p class="note">${escapeText(note)}</p>\n`}</details>`,
  )
  .join('\n')

const headOf = (address: string): string => `<h1 class="title">Your email signature</h1>
<p class="faint">${escapeText(address)}</p>`

export function pageFor({ address, newMail, reply }: PageContent): string {
  if (!newMail)
    return documentOf(`${headOf(address)}
<p class="state">There is no signature for this address yet. Nothing is wrong, and there is nothing to do: as soon as you are given one, it will be here.</p>`)
  const { html, text, sha256: version, state } = newMail
  const replies = reply === 'none' ? noReply : reply ? panel('reply', reply) : ''
  const texts = {
    new: { html, text },
    ...(reply !== null && reply !== 'none' && { reply: { html: reply.html, text: reply.text } }),
  }
  return documentOf(
    `${headOf(address)}
<p class="state" id="state" data-state="${state}">${states[state]}</p>
<section aria-labelledby="signature">
<h2 class="subtitle" id="signature">How it looks</h2>
${replies === '' ? '' : choice}${panel('new', newMail)}
${replies}
<p class="said" id="said" role="status"></p>
<p class="faint" id="by-hand">The buttons for copying need JavaScript. Without it, select the signature with the mouse and copy it.</p>
<label class="option" for="on-dark"><input class="box" type="checkbox" id="on-dark">Show it on a dark background</label>
</section>
<section aria-labelledby="install">
<h2 class="subtitle" id="install">How to install it</h2>
${steps}
</section>`,
    `<script type="application/json" id="copies">${embeddedJson({ version, texts, states: copyStates })}</script>
<script>${script}</script>
`,
  )
}

export const missingPage = (): string =>
  documentOf(`<h1 class="title">This page is not here</h1>
<p class="state">The link is not complete, or it has been replaced by a new one. Please ask whoever sent it to you for the current link.</p>`)
