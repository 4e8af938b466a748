// The page with the signature: how it looks, the buttons that copy it, the details of its owner, and the steps.
import { type Html, html, trusted } from '#pages/markup.ts'
import { type DetailsState, detailsSection } from './details.ts'
import { embeddedJson, type PageFrame, personalDocument } from './document.ts'
import { type ProgramName, programNames } from './programs.ts'
import type { CopyableVariant, PageContent } from './rules.ts'
import type { PageTexts } from './texts/page-texts.ts'

type Kind = 'new' | 'reply'
const copyForms = ['rich', 'text', 'source'] as const

const copyButton = (kind: Kind, how: (typeof copyForms)[number], t: PageTexts): Html =>
  html`<button class="button${how === 'rich' && ' first'}" type="button" data-copy="${how}" data-kind="${kind}">${t.copy[how]}</button>\n`

/** The signature has its own direction; that of the page is not its own. */
const panel = (
  kind: Kind,
  { html: signature }: CopyableVariant,
  t: PageTexts,
): Html => html`<div class="for-${kind}">
<div class="mail">
<div class="head" aria-hidden="true">${t.subjects[kind]}</div>
<div class="words" aria-hidden="true">${t.sampleMail[0]}<br>${t.sampleMail[1]}</div>
<div class="sheet" role="group" aria-label="${t.signature}: ${t.kinds[kind]}" tabindex="0"><div class="own" id="own-${kind}" dir="ltr">${trusted(signature)}</div></div>
</div>
<div class="buttons" hidden>
${copyForms.map(how => copyButton(kind, how, t))}</div>
</div>`

const option = (kind: Kind, t: PageTexts): Html =>
  html`<label class="option" for="kind-${kind}"><input class="box" type="radio" name="kind" id="kind-${kind}"${kind === 'new' && trusted(' checked')}>${t.kinds[kind]}</label>\n`

const choice = (t: PageTexts): Html => html`<fieldset class="choice">
<legend class="legend">${t.whichSignature}</legend>
${option('new', t)}${option('reply', t)}</fieldset>`

function program(name: ProgramName, likely: ProgramName, t: PageTexts): Html {
  const { name: title, steps, note } = t.programs[name]
  const isLikely = name === likely
  return html`<details class="program"${isLikely && trusted(' open')}>
<summary class="name"><span>${title}</span>${isLikely && html`<span class="badge">${t.likely}</span>`}</summary>
<ol class="steps">
${steps.map(step => html`<li>${step}</li>\n`)}</ol>
${note !== undefined && html`<p class="remark">${note}</p>\n`}</details>\n`
}

const stepsSection = (
  likely: ProgramName,
  t: PageTexts,
): Html => html`<section class="card install" aria-labelledby="install">
<h2 class="subtitle" id="install">${t.install}</h2>
${[likely, ...programNames.filter(name => name !== likely)].map(name => program(name, likely, t))}</section>`

const headOf = (address: string, t: PageTexts): Html => html`<div class="intro">
<h1 class="title">${t.title}</h1>
<p class="address"><bdi>${address}</bdi></p>
</div>`

export interface SignaturePage {
  readonly content: PageContent
  readonly details: DetailsState
  readonly likely: ProgramName
}

function signatureSection({ newMail, reply }: PageContent, t: PageTexts): Html {
  if (!newMail)
    return html`<section class="card signature" aria-labelledby="signature">
<h2 class="subtitle" id="signature">${t.signature}</h2>
<p class="state">${t.noSignature}</p>
</section>`
  const replies =
    reply === 'none' ? html`<p class="state for-reply">${t.noReply}</p>` : reply && panel('reply', reply, t)
  return html`<section class="card signature" aria-labelledby="signature">
<h2 class="subtitle" id="signature">${t.signature}</h2>
<p class="state" id="state" data-state="${newMail.state}">${t.states[newMail.state]}</p>
${replies && choice(t)}
${panel('new', newMail, t)}
${replies}
<p class="said" id="said" role="status"></p>
<p class="text faint" id="by-hand">${t.byHand}</p>
<label class="option" for="on-dark"><input class="box" type="checkbox" id="on-dark">${t.onDark}</label>
</section>`
}

export function pageFor(frame: PageFrame, { content, details, likely }: SignaturePage): string {
  const { t } = frame.words
  const { address, newMail, reply } = content
  const own = detailsSection(details, t)
  const main = html`${headOf(address, t)}
<div class="columns${own !== null && ' two'}">
${signatureSection(content, t)}
${own}
${newMail && stepsSection(likely, t)}
</div>
<p class="privacy">${t.privacy}</p>`
  const texts = newMail && {
    new: { html: newMail.html, text: newMail.text },
    ...(reply !== null && reply !== 'none' && { reply: { html: reply.html, text: reply.text } }),
  }
  const copies = newMail && {
    version: newMail.sha256,
    texts,
    states: t.copyStates,
    copied: t.copied,
    refused: t.copyRefused,
  }
  const hasPictures = details.fields.some(({ kind }) => kind === 'image')
  return personalDocument(frame, {
    title: t.title,
    main,
    data: [
      ...(copies ? [embeddedJson('copies', copies)] : []),
      ...(hasPictures ? [embeddedJson('picture-texts', t.picture)] : []),
    ],
    scripts: [...(copies ? (['copy'] as const) : []), ...(hasPictures ? (['picture'] as const) : [])],
  })
}
