// Draws the task pane.
import type { AddInExplanation, ExplainedCandidate } from '../wire.ts'
import { element } from './elements.ts'
import { previewOf } from './preview.ts'
import { canInsert, type Inserted, insertAgain, type PaneState } from './state.ts'
import type { PaneLanguage, PaneTexts } from './texts.ts'

type Signature = NonNullable<AddInExplanation['signature']>

function button(label: string, isPrimary: boolean, onClick: () => void): HTMLButtonElement {
  const made = element('button', isPrimary ? 'button primary' : 'button', label)
  made.type = 'button'
  made.addEventListener('click', onClick)
  return made
}

const insertedTexts = (texts: PaneTexts): Record<Inserted, string> => ({
  set: texts.inserted,
  same: texts.inserted,
  cleared: texts.cleared,
  absent: texts.cleared,
  kept: texts.kept,
  failed: texts.insertFailed,
  long: texts.insertLong,
})

/** The status line is there before it has a text: screen readers read only changes of what they know. */
function insertion(state: PaneState, texts: PaneTexts): HTMLElement {
  const status = element('p', 'status')
  status.setAttribute('role', 'status')
  const insert = button(texts.insert, true, async () => {
    if (insert.getAttribute('aria-disabled')) return
    insert.setAttribute('aria-disabled', 'true')
    status.className = 'status'
    status.textContent = texts.inserting
    const result = await insertAgain(state)
    status.textContent = insertedTexts(texts)[result]
    status.className = `status ${result === 'failed' || result === 'kept' ? 'bad' : 'good'}`
    insert.removeAttribute('aria-disabled')
  })
  return element('div', 'insertion', insert, status)
}

function section(title: string, ...children: readonly (Node | string | null)[]): HTMLElement {
  return element('section', 'section', element('h2', 'subtitle', title), ...children)
}

function candidateRow({ name, chosen, reason_code }: ExplainedCandidate, first: string, texts: PaneTexts) {
  const label = element('span', 'name', name)
  label.dir = 'auto'
  const reason = element('span', chosen ? 'tag' : 'reason', texts.reason[reason_code](first))
  return element('li', chosen ? 'candidate chosen' : 'candidate', label, reason)
}

function whySection(candidates: readonly ExplainedCandidate[], texts: PaneTexts): HTMLElement {
  const chosen = candidates.find(candidate => candidate.chosen)?.name ?? ''
  if (candidates.length === 0) return section(texts.why, element('p', 'text', texts.first))
  if (candidates.length === 1) return section(texts.why, element('p', 'text', texts.onlyOne))
  const list = element(
    'ol',
    'candidates',
    ...candidates.map(candidate => candidateRow(candidate, chosen, texts)),
  )
  list.setAttribute('aria-label', texts.others)
  return section(texts.why, element('p', 'text', texts.first), list)
}

function factsSection(signature: Signature, { language, texts }: PaneLanguage): HTMLElement {
  const published = new Date(signature.published_at).toLocaleDateString(language, { dateStyle: 'medium' })
  const facts: readonly (readonly [string, string])[] = [
    [texts.newMails, texts.carried.same],
    [texts.replies, texts.carried[signature.reply]],
    [texts.internalMails, texts.carried[signature.internal]],
    ...(signature.campaign === null ? [] : [[texts.campaign, signature.campaign] as const]),
    [texts.published, published],
  ]
  const rows = facts.map(([term, value]) =>
    element('div', 'fact', element('dt', 'term', term), element('dd', 'value', value)),
  )
  return section(texts.mails, element('dl', 'facts', ...rows))
}

function sender(from: string, texts: PaneTexts): HTMLElement {
  return element('p', 'sender', element('span', 'term', texts.from), ' ', element('bdi', 'address', from))
}

/** The signature of this mail. */
function mailCard(state: PaneState, name: string | null, texts: PaneTexts): HTMLElement {
  const { target, kind } = state
  const title = name === null ? null : element('p', 'signature-name', name)
  if (title) title.dir = 'auto'
  return element(
    'div',
    'card',
    title,
    element('p', 'kind', texts.kind[kind]),
    target?.html ? previewOf(target.html, texts.preview) : element('p', 'notice', texts.hidden),
    target?.html && canInsert(state) ? insertion(state, texts) : null,
  )
}

function message(title: string, text: string, isBad: boolean, retry: HTMLElement | null): HTMLElement {
  const box = element(
    'div',
    isBad ? 'message bad' : 'message',
    element('h2', 'subtitle', title),
    element('p', 'text', text),
    retry,
  )
  if (isBad) box.setAttribute('role', 'alert')
  return box
}

function failureTexts({ trouble, target }: PaneState, texts: PaneTexts): readonly [string, string] {
  if (trouble === 'refused') return [texts.refused, texts.refusedText]
  if (trouble === 'no_token') return [texts.noToken, texts.noTokenText]
  return [texts.away, target ? texts.awayStored : texts.awayEmpty]
}

function failure(state: PaneState, texts: PaneTexts, retry: () => void): readonly HTMLElement[] {
  const [title, text] = failureTexts(state, texts)
  const box = message(title, text, true, button(texts.again, false, retry))
  return state.target ? [box, mailCard(state, null, texts)] : [box]
}

/** The parts of the page below its title. */
export function panePartsOf(
  state: PaneState,
  language: PaneLanguage,
  retry: () => void,
): readonly HTMLElement[] {
  const { texts } = language
  const { explanation, mail } = state
  const head = sender(mail.from, texts)
  if (!explanation) return [head, ...failure(state, texts, retry)]
  if (!explanation.known) return [head, message(texts.unknown, texts.unknownText, false, null)]
  const { signature, candidates } = explanation
  if (!signature) {
    const others = candidates.length === 0 ? [] : [candidatesOnly(candidates, texts)]
    return [head, message(texts.none, texts.noneText, false, null), ...others]
  }
  return [
    head,
    mailCard(state, signature.name, texts),
    whySection(candidates, texts),
    factsSection(signature, language),
  ]
}

const candidatesOnly = (candidates: readonly ExplainedCandidate[], texts: PaneTexts): HTMLElement =>
  section(
    texts.others,
    element('ol', 'candidates', ...candidates.map(candidate => candidateRow(candidate, '', texts))),
  )
