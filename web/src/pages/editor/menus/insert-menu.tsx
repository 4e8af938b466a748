// A search over the blocks that can be put at a place.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { useTranslations } from 'use-intl'
import { classes, controlFrame, popoverFrame } from '../../../ui/classes.ts'
import { useAnnounce } from '../announcements.tsx'
import { useEditor } from '../editor-context.ts'
import { EditorIcon } from '../editor-icon.tsx'
import { insertableBlocks } from '../model/insertable.ts'
import type { NewBlockName } from '../model/new-blocks.ts'
import type { Place } from '../model/place.ts'
import { blockOf } from '../model/tree.ts'
import { newBlockIcons } from '../palette/new-block-icons.ts'
import type { Rectangle } from '../text/floating.ts'
import { matchingEntries } from '../text/menu-entries.ts'
import { MenuAnchor } from './menu-anchor.tsx'

interface InsertMenuProps {
  readonly place: Place
  readonly at: Rectangle
  readonly onChoose: (name: NewBlockName) => void
  readonly onClose: () => void
}

export default function InsertMenu({ place, at, onChoose, onClose }: InsertMenuProps) {
  const t = useTranslations('editor.insert')
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
        <Dialog aria-label={t('title')} className="w-60 outline-none">
          <BlockSearch place={place} onChoose={onChoose} />
        </Dialog>
      </Popover>
    </>
  )
}

/** The focus stays in the field, which says which entry is active. */
function BlockSearch({ place, onChoose }: Pick<InsertMenuProps, 'place' | 'onChoose'>) {
  const t = useTranslations('editor.insert')
  const palette = useTranslations('editor.palette')
  const tools = useTranslations('editor.textTools')
  const announce = useAnnounce()
  const { store } = useEditor()
  const id = useId()
  const [query, setQuery] = useState('')
  const [index, setIndex] = useState(0)
  const entries = useMemo(() => {
    const parent = blockOf(store.getState().tree, place.parentId)?.type ?? 'stack'
    return insertableBlocks(parent, store.kind).map(name => ({ name, label: palette(name) }))
  }, [store, place, palette])
  const matches = matchingEntries(entries, query)
  const active = matches[Math.min(index, matches.length - 1)]
  useEffect(() => {
    if (query !== '') announce(tools('matches', { count: matches.length }))
  }, [query, matches.length])
  useEffect(() => {
    if (active) document.getElementById(id + active.name)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const press = (event: KeyboardEvent) => {
    const count = matches.length
    if (event.key === 'ArrowDown') setIndex((index + 1) % count || 0)
    else if (event.key === 'ArrowUp') setIndex((index + count - 1) % count || 0)
    else if (event.key === 'Enter' && active) onChoose(active.name)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-label={t('search')}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active && id + active.name}
        placeholder={t('search')}
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
      <div id={id} role="listbox" aria-label={t('title')} className="max-h-72 overflow-y-auto">
        {matches.map(entry => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={entry.name}
            id={id + entry.name}
            role="option"
            tabIndex={-1}
            aria-selected={entry === active}
            onClick={() => onChoose(entry.name)}
            onMouseMove={() => entry !== active && setIndex(matches.indexOf(entry))}
            className={classes(
              'flex min-h-9 cursor-default items-center gap-2.5 rounded-lg px-2.5 text-sm',
              entry === active && 'bg-accent-soft',
            )}
          >
            <EditorIcon name={newBlockIcons[entry.name]} size={15} className="text-muted" />
            {entry.label}
          </div>
        ))}
        {matches.length === 0 && <p className="px-2.5 py-2 text-sm text-muted">{t('nothing')}</p>}
      </div>
    </>
  )
}
