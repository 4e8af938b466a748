// The menu at the cursor. The focus stays in the text, which says which entry is active.
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { classes, popoverFrame } from '#ui/base/classes.ts'
import { useInspector } from '../inputs/inspector-data.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { EditorIcon } from '../kit/editor-icon.tsx'
import { useFloating } from '../kit/floating.ts'
import { keepsTextOpen } from '../kit/focus.ts'
import { matchingEntries, menuEntries, type TextMenuEntry } from './menu-entries.ts'
import { closeMenu, menuKey, menuQuery, type TextMenuState, withoutQuery } from './menu-state.ts'
import { type TextSession, useTextSnapshot } from './text-session.ts'
import { insertField, insertLinkWords } from './token-commands.ts'

function useEntries(menu: TextMenuState, session: TextSession, query: string): readonly TextMenuEntry[] {
  const t = useTranslations('editor.textTools')
  const { fields } = useInspector()
  const { kind } = menu
  const { hasLinks } = session
  const entries = useMemo(() => {
    const messages = { field: t('field'), lineBreak: t('lineBreak'), link: t('link') }
    return menuEntries({ kind, fields, hasLinks, messages })
  }, [kind, fields, hasLinks, t])
  return useMemo(() => matchingEntries(entries, query), [entries, query])
}

function useChoose(session: TextSession): (entry: TextMenuEntry) => void {
  const t = useTranslations('editor.textTools')
  const announce = useAnnounce()
  return ({ action, label }) => {
    const { view } = session
    view.focus()
    view.dispatch(withoutQuery(view.state))
    const { state } = view
    if (action === 'lineBreak') view.dispatch(state.tr.insertText('\n').scrollIntoView())
    else if (action === 'link') {
      view.dispatch(insertLinkWords(state, t('linkWords')))
      session.openPanel('link')
    } else {
      view.dispatch(insertField(state, { type: 'smartFieldToken', smartFieldUuid: action.fieldId }))
      announce(t('inserted', { name: label }))
    }
  }
}

/** Arrows, Enter, Tab and Escape; all other keys go to the text. */
function useMenuKeys(
  session: TextSession,
  matches: readonly TextMenuEntry[],
  [index, setIndex]: readonly [number, (index: number) => void],
  choose: (entry: TextMenuEntry) => void,
): void {
  useLayoutEffect(() => {
    session.onMenuKey = ({ key }) => {
      const entry = matches[index]
      if (key === 'Escape') {
        session.view.dispatch(closeMenu(session.view.state))
        return true
      }
      if (!entry) return false
      if (key === 'Enter' || key === 'Tab') choose(entry)
      else if (key === 'ArrowDown') setIndex((index + 1) % matches.length)
      else if (key === 'ArrowUp') setIndex((index + matches.length - 1) % matches.length)
      else return false
      return true
    }
    return () => {
      session.onMenuKey = () => false
    }
  })
}

export function TextMenu({ session }: { readonly session: TextSession }) {
  const snapshot = useTextSnapshot(session)
  const menu = snapshot && menuKey.getState(snapshot.state)
  const query = snapshot && menu && menuQuery(snapshot.state, menu)
  if (!menu || query === undefined) return null
  return <OpenMenu key={`${menu.kind} ${menu.from}`} session={session} menu={menu} query={query} />
}

interface OpenMenuProps {
  readonly session: TextSession
  readonly menu: TextMenuState
  readonly query: string
}

function OpenMenu({ session, menu, query }: OpenMenuProps) {
  const t = useTranslations('editor.textTools')
  const announce = useAnnounce()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState({ query, index: 0 })
  const matches = useEntries(menu, session, query)
  const index = chosen.query === query ? Math.min(chosen.index, Math.max(0, matches.length - 1)) : 0
  const choose = useChoose(session)
  useMenuKeys(session, matches, [index, next => setChosen({ query, index: next })], choose)
  const active = matches[index]
  const activeId = active && `${id}${active.id}`
  const position = useFloating({
    element: list,
    anchor: () => session.view.coordsAtPos(menu.from),
    preferred: 'below',
    version: `${menu.from} ${matches.length}`,
  })
  useLayoutEffect(() => {
    const { dom } = session.view
    if (activeId) dom.setAttribute('aria-activedescendant', activeId)
    else dom.removeAttribute('aria-activedescendant')
    if (matches.length > 0) dom.setAttribute('aria-controls', id)
    document.getElementById(activeId ?? '')?.scrollIntoView({ block: 'nearest' })
    return () => {
      dom.removeAttribute('aria-activedescendant')
      dom.removeAttribute('aria-controls')
    }
  }, [session, id, activeId, matches.length])
  useEffect(() => announce(t('matches', { count: matches.length })), [matches.length])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t(menu.kind === 'field' ? 'insertField' : 'insert')}
      {...keepsTextOpen}
      onMouseDown={event => event.preventDefault()}
      className={classes(popoverFrame, 'fixed z-40 max-h-64 w-60', matches.length === 0 && 'hidden')}
      style={{
        left: position?.left ?? 0,
        top: position?.top ?? 0,
        visibility: position ? 'visible' : 'hidden',
      }}
    >
      {matches.map(entry => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the keys
        <div
          key={entry.id}
          id={`${id}${entry.id}`}
          role="option"
          aria-selected={entry === active}
          onClick={() => choose(entry)}
          onMouseMove={() => entry !== active && setChosen({ query, index: matches.indexOf(entry) })}
          className={classes(
            'flex min-h-8 cursor-default items-center gap-2 rounded-lg px-2.5 text-sm',
            entry === active && 'bg-accent-soft',
          )}
        >
          <EditorIcon name={entry.icon} size={14} className="text-muted" />
          <span className="min-w-0 flex-1 truncate">{entry.label}</span>
          {menu.kind === 'anything' && entry.hint && <span className="text-xs text-muted">{entry.hint}</span>}
        </div>
      ))}
    </div>
  )
}
