// A menu with a search over its entries.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { useTranslations } from 'use-intl'
import { classes, controlFrame, popoverFrame } from '#ui/base/classes.ts'
import { useAnnounce } from '../announcements.tsx'
import { EditorIcon, type EditorIconName } from '../editor-icon.tsx'
import type { Rectangle } from '../text/floating.ts'
import { matchingEntries } from '../text/menu-entries.ts'
import { MenuAnchor } from './menu-anchor.tsx'

interface SearchEntry<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly icon: EditorIconName
}

interface EntrySearchProps<Id extends string> {
  readonly entries: readonly SearchEntry<Id>[]
  readonly texts: Readonly<Record<'title' | 'search' | 'nothing', string>>
  readonly onChoose: (id: Id) => void
}

interface SearchMenuProps<Id extends string> extends EntrySearchProps<Id> {
  readonly at: Rectangle
  readonly onClose: () => void
}

export function SearchMenu<Id extends string>({ at, onClose, ...search }: SearchMenuProps<Id>) {
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
        <Dialog aria-label={search.texts.title} className="w-60 outline-none">
          <EntrySearch {...search} />
        </Dialog>
      </Popover>
    </>
  )
}

/** The focus stays in the field, which says which entry is active. */
function EntrySearch<Id extends string>({ entries, texts, onChoose }: EntrySearchProps<Id>) {
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
        aria-label={texts.search}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active && id + active.id}
        placeholder={texts.search}
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
      <div id={id} role="listbox" aria-label={texts.title} className="max-h-72 overflow-y-auto">
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
        {matches.length === 0 && <p className="px-2.5 py-2 text-sm text-muted">{texts.nothing}</p>}
      </div>
    </>
  )
}
