// A menu with a search over its entries.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { useTranslations } from 'use-intl'
import { classes, controlFrame, popoverFrame } from '#ui/base/classes.ts'
import { useLabel } from '../blocks/block-names.ts'
import { insertableBlocks } from '../blocks/blocks.ts'
import type { NewBlock } from '../blocks/descriptor.ts'
import { fieldsForText, useInspector } from '../inputs/inspector-data.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import type { EditorIconName } from '../kit/editor-outlines.ts'
import type { Rectangle } from '../kit/floating.ts'
import type { Position } from '../model/position.ts'
import { blockOf } from '../model/tree.ts'
import { matchingEntries } from '../text/menu-entries.ts'
import { MenuAnchor } from './block-menu.tsx'

interface SearchEntry<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly icon: EditorIconName
}

interface EntrySearchProps<Id extends string> {
  readonly entries: readonly SearchEntry<Id>[]
  readonly messages: Readonly<Record<'title' | 'search' | 'nothing', string>>
  readonly onChoose: (id: Id) => void
}

interface SearchMenuProps<Id extends string> extends EntrySearchProps<Id> {
  readonly at: Rectangle
  readonly onClose: () => void
}

function SearchMenu<Id extends string>({ at, onClose, ...search }: SearchMenuProps<Id>) {
  const anchor = useRef<HTMLDivElement>(null)
  return (
    <>
      <MenuAnchor at={at} anchorRef={anchor} />
      <Popover
        isOpen
        onOpenChange={open => open || onClose()}
        trigger="DialogTrigger"
        triggerRef={anchor}
        placement="bottom start"
        offset={4}
        className={popoverFrame}
      >
        <Dialog aria-label={search.messages.title} className="w-60 outline-none">
          <EntrySearch {...search} />
        </Dialog>
      </Popover>
    </>
  )
}

/** The focus stays in the field, which says which entry is active. */
function EntrySearch<Id extends string>({ entries, messages, onChoose }: EntrySearchProps<Id>) {
  const tools = useTranslations('editor.textTools')
  const announce = useAnnounce()
  const id = useId()
  const [query, setQuery] = useState('')
  const [index, setIndex] = useState(0)
  const matches = matchingEntries(entries, query)
  const active = matches[Math.min(index, matches.length - 1)]
  useEffect(() => {
    if (query !== '') announce(tools('matches', { count: matches.length }))
  }, [query, matches.length])
  useEffect(() => {
    if (active) document.getElementById(id + active.id)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const press = (event: KeyboardEvent) => {
    const count = matches.length
    if (event.key === 'ArrowDown') setIndex((index + 1) % count || 0)
    else if (event.key === 'ArrowUp') setIndex((index + count - 1) % count || 0)
    else if (event.key === 'Enter' && active) onChoose(active.id)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-label={messages.search}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active && id + active.id}
        placeholder={messages.search}
        // biome-ignore lint/a11y/noAutofocus: the person has asked for this search
        autoFocus
        value={query}
        onChange={event => {
          setQuery(event.currentTarget.value)
          setIndex(0)
        }}
        onKeyDown={press}
        className={classes(controlFrame, 'mb-1')}
      />
      <div id={id} role="listbox" aria-label={messages.title} className="max-h-72 overflow-y-auto">
        {matches.map(entry => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={entry.id}
            id={id + entry.id}
            role="option"
            tabIndex={-1}
            aria-selected={entry === active}
            onClick={() => onChoose(entry.id)}
            onMouseMove={() => entry !== active && setIndex(matches.indexOf(entry))}
            className={classes(
              'flex min-h-9 cursor-default items-center gap-2.5 rounded-lg px-2.5 text-sm',
              entry === active && 'bg-accent-soft',
            )}
          >
            <EditorIcon name={entry.icon} size={15} className="text-muted" />
            <span className="min-w-0 truncate">{entry.label}</span>
          </div>
        ))}
        {matches.length === 0 && <p className="px-2.5 py-2 text-sm text-muted">{messages.nothing}</p>}
      </div>
    </>
  )
}

// A search over the smart fields, for a new block that shows one of them.

interface FieldMenuProps {
  readonly at: Rectangle
  readonly onChoose: (fieldId: string) => void
  readonly onClose: () => void
}

export function FieldMenu(menu: FieldMenuProps) {
  const t = useTranslations('editor.insertField')
  const { fields } = useInspector()
  const entries = useMemo(
    () => fieldsForText(fields).map(({ id, label }) => ({ id, label, icon: 'braces' as const })),
    [fields],
  )
  const messages = { title: t('title'), search: t('search'), nothing: t('nothing') }
  return <SearchMenu {...menu} entries={entries} messages={messages} />
}

// A search over the blocks that can be put at a place.

interface InsertMenuProps {
  readonly position: Position
  readonly at: Rectangle
  readonly onChoose: (offer: NewBlock) => void
  readonly onClose: () => void
}

export function InsertMenu({ position, onChoose, ...menu }: InsertMenuProps) {
  const t = useTranslations('editor.insert')
  const labelOf = useLabel()
  const { store } = useEditor()
  const offers = useMemo(() => {
    const parent = blockOf(store.getState().tree, position.parentId)?.type ?? 'stack'
    return insertableBlocks(parent, store.kind)
  }, [store, position])
  const entries = useMemo(
    () => offers.map(({ label, icon }, index) => ({ id: String(index), label: labelOf(label), icon })),
    [offers, labelOf],
  )
  const choose = (id: string) => {
    const offer = offers[Number(id)]
    if (offer) onChoose(offer)
  }
  const messages = { title: t('title'), search: t('search'), nothing: t('nothing') }
  return <SearchMenu {...menu} entries={entries} messages={messages} onChoose={choose} />
}
