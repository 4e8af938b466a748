// The part of the page on which its owner changes values and pictures.
import { type Html, html } from '#pages/markup.ts'
import { type OwnField, type SentForm, shownValueOf } from './own-values.ts'
import type { PageDone, PageTexts } from './texts/page-texts.ts'

export interface DetailsState {
  readonly fields: readonly OwnField[]
  /** The path of the page. */
  readonly path: string
  readonly done: PageDone | null
  /** A form that was refused. */
  readonly sent: SentForm | null
}

const labelOf = ({ label, key, builtInLabel }: OwnField, t: PageTexts): string =>
  label ?? t.fields[key] ?? builtInLabel

/** Input types: they choose the keyboard of phones, and the values that browsers fill in. */
const inputTypes: Readonly<Record<OwnField['kind'], string>> = {
  text: 'text',
  url: 'url',
  email: 'email',
  phone: 'tel',
  image: 'file',
}

const withdrawButton = (change: string, t: PageTexts): Html =>
  html`<button class="quiet" form="withdraw-${change}">${t.details.withdraw}</button>`

/** Forms cannot be nested: the button in the form of the values belongs to this one. */
const withdrawForms = (path: string, fields: readonly OwnField[]): readonly Html[] =>
  fields.flatMap(({ change }) =>
    change?.status === 'pending'
      ? [
          html`<form method="post" action="${path}/withdraw" id="withdraw-${change.id}"><input type="hidden" name="change" value="${change.id}"></form>`,
        ]
      : [],
  )

function noteOf({ change, value }: OwnField, t: PageTexts): Html | null {
  if (!change) return null
  const { details } = t
  if (change.status === 'rejected')
    return html`<p class="note bad"><strong dir="auto">${details.rejected(change.after_value ?? details.empty)}</strong>${change.reason !== null && html`<span dir="auto">${details.reason(change.reason)}</span>`}</p>`
  if (change.status === 'approved')
    return html`<p class="note good">${change.after_value === null ? details.approvedRemoval : details.approved}</p>`
  const text = change.after_value === null ? details.waitsForRemoval : details.waits(value ?? details.empty)
  return html`<p class="note waits"><span dir="auto">${text}</span>${withdrawButton(change.id, t)}</p>`
}

/** Browsers scroll to the first field that is wrong: on phones it is below the signature. */
const isFirstProblem = (id: string, { fields, sent }: DetailsState): boolean =>
  fields.find(field => sent?.problems.has(field.id))?.id === id

function fieldRow(field: OwnField, state: DetailsState, t: PageTexts): Html {
  const { sent } = state
  const { id, kind, needsApproval, change } = field
  const pageValue = shownValueOf(field)
  const value = sent?.values.get(id) ?? pageValue
  const problem = sent?.problems.get(id)
  const words = t.details.problems
  const message =
    problem === undefined ? null : problem === 'invalid' ? words[kind as keyof typeof words] : words[problem]
  const hint = needsApproval && change?.status !== 'pending'
  const described = [message && `problem-${id}`, hint && `hint-${id}`].filter(Boolean).join(' ')
  const attributes = html`id="field-${id}" name="field-${id}" dir="auto"${described !== '' && html` aria-describedby="${described}"`}${message && html` aria-invalid="true"`}${isFirstProblem(id, state) && html` autofocus`}`
  const input = value.includes('\n')
    ? html`<textarea class="input" rows="3" ${attributes}>
${value}</textarea>`
    : html`<input class="input" type="${inputTypes[kind]}" value="${value}" ${attributes}>`
  return html`<div class="field">
<label class="label" for="field-${id}" dir="auto">${labelOf(field, t)}</label>
<input type="hidden" name="was-${id}" value="${pageValue}">
${input}
${message && html`<p class="wrong" id="problem-${id}">${message}</p>`}
${hint && html`<p class="hint" id="hint-${id}">${t.details.needsApproval}</p>`}
${noteOf(field, t)}
</div>`
}

const picture = (url: string, size: number): Html =>
  html`<img class="face" src="${url}" alt="" width="${size}" height="${size}">`

const noFace = html`<span class="face no-face" aria-hidden="true"><svg viewBox="0 0 24 24" fill="currentColor"><path d="M12 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10Zm0 2c-4.4 0-8 2.5-8 5.5V21h16v-1.5c0-3-3.6-5.5-8-5.5Z"/></svg></span>`

function pictureNote({ change }: OwnField, t: PageTexts): Html | null {
  if (!change) return null
  const { details } = t
  const face = change.after_value === null ? null : picture(change.after_value, 40)
  if (change.status === 'rejected')
    return html`<div class="note bad with-face">${face}<p class="words"><strong>${t.picture.rejected}</strong>${change.reason !== null && html`<span dir="auto">${details.reason(change.reason)}</span>`}</p></div>`
  if (change.status === 'approved')
    return html`<p class="note good">${change.after_value === null ? details.approvedRemoval : t.picture.approved}</p>`
  const text = change.after_value === null ? details.waitsForRemoval : t.picture.waits
  return html`<div class="note waits with-face">${face}<p class="words">${text}</p>${withdrawButton(change.id, t)}</div>`
}

function pictureRow(field: OwnField, { path }: DetailsState, t: PageTexts): Html {
  const { id, value, needsApproval, change } = field
  const isPending = change?.status === 'pending'
  return html`<div class="field portrait" role="group" aria-labelledby="label-${id}">
<span class="label" id="label-${id}" dir="auto">${labelOf(field, t)}</span>
<div class="portrait-row">
${value === null ? noFace : picture(value, 72)}
<div class="portrait-actions">
<span class="with-script" hidden><label class="button small" for="picture-${id}">${value === null ? t.picture.add : t.picture.change}</label><input class="file" type="file" id="picture-${id}" accept="image/*" data-picture data-field="${id}"></span>
${value !== null && !isPending && html`<form method="post" action="${path}/picture/remove"><input type="hidden" name="field" value="${id}"><button class="quiet">${t.picture.remove}</button></form>`}
<p class="hint without-script">${t.picture.needsScript}</p>
</div>
</div>
${needsApproval && !isPending && html`<p class="hint">${t.details.needsApproval}</p>`}
${pictureNote(field, t)}
</div>`
}

const cropDialog = ({
  picture: t,
}: PageTexts): Html => html`<dialog class="cropper" id="cropper" aria-labelledby="crop-title">
<h2 class="subtitle" id="crop-title">${t.crop}</h2>
<div class="stage" id="stage" tabindex="0" role="application" aria-label="${t.crop}" aria-describedby="crop-help" dir="ltr"><img class="stage-picture" id="stage-picture" alt="" draggable="false"></div>
<p class="hint" id="crop-help">${t.cropHelp}</p>
<label class="label" for="zoom">${t.zoom}</label>
<input class="zoom" type="range" id="zoom" min="100" max="800" step="1" value="100">
<p class="said" id="crop-said" role="status"></p>
<div class="row">
<button class="button first" type="button" id="use-picture">${t.use}</button>
<button class="button" type="button" id="cancel-picture">${t.cancel}</button>
</div>
</dialog>`

/** Null where the owner can change nothing. */
export function detailsSection(state: DetailsState, t: PageTexts): Html | null {
  const { fields, path, done, sent } = state
  if (fields.length === 0) return null
  const pictures = fields.filter(({ kind }) => kind === 'image')
  const values = fields.filter(({ kind }) => kind !== 'image')
  const message = sent
    ? html`<p class="state" data-state="wrong" role="alert">${t.details.someWrong}</p>`
    : done && html`<p class="state" data-state="current" role="status">${t.details.done[done]}</p>`
  return html`<section class="card details" aria-labelledby="details">
<h2 class="subtitle" id="details">${t.details.title}</h2>
<p class="text faint">${t.details.intro}</p>
${message}
${pictures.map(field => pictureRow(field, state, t))}
${pictures.length > 0 && html`<p class="said" id="picture-said" role="status"></p>`}
${
  values.length > 0 &&
  html`<form class="form" method="post" action="${path}/values" novalidate>
${values.map(field => fieldRow(field, state, t))}
<button class="button first">${t.details.save}</button>
</form>`
}
${withdrawForms(path, fields)}
</section>
${pictures.length > 0 && cropDialog(t)}`
}
