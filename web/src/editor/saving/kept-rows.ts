// What an editor begins with: the draft of the service, and what the browser has kept of earlier visits.
import type { Content } from '@signoff/render'
import type { ContentKind } from '#records/content/block.ts'
import { isSameContent } from '#records/content/block-index.ts'
import type { RowEntry } from '#state/browser-store.ts'
import type { Versioned } from '#state/versioned.ts'
import {
  type History,
  newHistory,
  type PackedHistory,
  packHistory,
  recorded,
  unpackHistory,
} from '../model/history.ts'
import type { SavedTree } from './autosave.ts'
import { mergeContents } from './merge.ts'

/** The saved tree with which unsaved changes began, and the name of the content. */
export interface UnsavedBase extends SavedTree {
  readonly name: string
}

export interface StoredHistory {
  readonly history: PackedHistory
  readonly storedAt: number
  /** Undefined: the present tree is saved. */
  readonly unsaved?: UnsavedBase | undefined
}

/** The last tree without its history: small enough to be written in the moment in which a page is closed. */
export interface UnsavedCopy {
  readonly present: Content
  readonly storedAt: number
  readonly unsaved: UnsavedBase
}

/** Undefined for a row that another version of this page has written. */
function historyOf(row: StoredHistory | undefined): History | undefined {
  try {
    return row && unpackHistory(row.history)
  } catch {
    return undefined
  }
}

/** The row of the same editor, which can be older by the last letters. */
export function withCopy(row: StoredHistory | undefined, copy: UnsavedCopy): StoredHistory {
  const { present, storedAt, unsaved } = copy
  if (row?.unsaved && row.storedAt > storedAt) {
    const sent = [...(row.unsaved.sent ?? []), ...(unsaved.sent ?? [])]
    return { ...row, unsaved: { ...row.unsaved, sent } }
  }
  const before = historyOf(row) ?? newHistory(unsaved.saved)
  const history = isSameContent(before.present, present) ? before : recorded(before, present, [], undefined)
  return { history: packHistory(history), storedAt, unsaved }
}

export function withCopies(
  rows: readonly RowEntry<StoredHistory>[],
  copies: readonly RowEntry<UnsavedCopy>[],
): readonly RowEntry<StoredHistory>[] {
  const byKey = new Map(rows.map(({ key, row }) => [key, row]))
  for (const { key, row } of copies) byKey.set(key, withCopy(byKey.get(key), row))
  return [...byKey].map(([key, row]) => ({ key, row }))
}

export interface Beginning {
  readonly history: History
  readonly base: SavedTree
  /** The keys of unsaved rows that it has in it. */
  readonly adopted: readonly string[]
}

interface ReadRow {
  readonly key: string
  readonly history: History
  readonly unsaved: UnsavedBase | undefined
}

/** The newest first. */
function readRows(rows: readonly RowEntry<StoredHistory>[]): readonly ReadRow[] {
  return rows
    .toSorted((a, b) => b.row.storedAt - a.row.storedAt)
    .flatMap(({ key, row }) => {
      const history = historyOf(row)
      return history ? [{ key, history, unsaved: row.unsaved }] : []
    })
}

/** Undefined when a person has to decide: that row waits for the next visit. */
function withUnsaved(history: History, row: ReadRow, base: Content, kind: ContentKind): History | undefined {
  const { tree, conflicts } = mergeContents({
    base,
    mine: row.history.present,
    theirs: history.present,
    kind,
  })
  if (conflicts.length > 0) return undefined
  return isSameContent(tree, history.present) ? history : recorded(history, tree, [], undefined)
}

/** `rows`: of editors that are not open any more. */
export function beginningOf(
  draft: Versioned<Content>,
  rows: readonly RowEntry<StoredHistory>[],
  kind: ContentKind,
): Beginning {
  const all = readRows(rows)
  const isSaved = ({ history }: ReadRow) => isSameContent(history.present, draft.data)
  const saved = all.find(isSaved)
  const unsaved = all.filter(row => row.unsaved && !isSaved(row))
  // Saved, also by a save whose answer was lost.
  const adopted = all.filter(row => row.unsaved && isSaved(row)).map(({ key }) => key)
  const [first, ...others] = unsaved
  if (!first?.unsaved) {
    const history = saved?.history ?? newHistory(draft.data)
    return { history, base: { saved: history.present, version: draft.etag }, adopted }
  }
  // The save with the old version is refused when a colleague has saved meanwhile: then both are merged.
  let { history } = first
  adopted.push(first.key)
  for (const row of others) {
    const merged = row.unsaved && withUnsaved(history, row, row.unsaved.saved, kind)
    if (!merged) continue
    history = merged
    adopted.push(row.key)
  }
  return { history, base: first.unsaved, adopted }
}
