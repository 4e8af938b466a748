// Blocks to add: a click puts one after the selected block, dragging puts it anywhere on the canvas or in the outline.
import { memo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { useNewBlocks } from '../actions/use-new-blocks.ts'
import { useLabel } from '../blocks/block-names.ts'
import { offeredBlocks } from '../blocks/blocks.ts'
import { useEditor } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import { focusCanvas } from '../kit/focus.ts'

const storageKey = 'signoff.palette'

/** Icons only leave more room for a long outline; this browser remembers the choice. */
function useCompact(): readonly [boolean, (isCompact: boolean) => void] {
  const [isCompact, setCompact] = useState(() => localStorage.getItem(storageKey) === 'compact')
  const store = (next: boolean) => {
    setCompact(next)
    if (next) localStorage.setItem(storageKey, 'compact')
    else localStorage.removeItem(storageKey)
  }
  return [isCompact, store]
}

export const Palette = memo(function Palette() {
  const t = useTranslations('editor.palette')
  const labelOf = useLabel()
  const { store, drag, menus } = useEditor()
  const { make, add } = useNewBlocks()
  const [isCompact, setCompact] = useCompact()
  const offers = offeredBlocks(store.kind)
  const toggle = t(isCompact ? 'full' : 'compact')
  return (
    <>
      <div className="flex items-center justify-between ps-1.5 pb-1 max-md:hidden">
        <h2 className="text-xs font-medium text-muted">{t('title')}</h2>
        <button
          type="button"
          aria-label={toggle}
          title={toggle}
          onClick={() => setCompact(!isCompact)}
          className="grid size-6 place-items-center rounded text-muted hover:text-ink focus-visible:outline-2 focus-visible:outline-accent"
        >
          <EditorIcon name={isCompact ? 'chevron-right' : 'chevron-down'} size={14} />
        </button>
      </div>
      <ul
        aria-label={t('label')}
        className={classes(
          'grid max-md:grid-cols-3 max-md:gap-1.5 max-[380px]:grid-cols-2',
          isCompact ? 'md:grid-cols-7' : 'md:grid-cols-2 md:gap-1',
        )}
      >
        {offers.map(offer => (
          <li key={offer.label.en} className="contents">
            <button
              type="button"
              title={isCompact ? labelOf(offer.label) : undefined}
              onClick={event => {
                if (offer.asks === 'field')
                  return menus.open({ kind: 'field', at: event.currentTarget.getBoundingClientRect() })
                add(offer)
                // After a click, keys are meant for the new block: on the button, a space would add one more.
                if (event.detail > 0 && !offer.isTyped) focusCanvas()
              }}
              aria-haspopup={offer.asks === 'field' ? 'dialog' : undefined}
              onPointerDown={event =>
                drag.watch(event.nativeEvent, {
                  start() {
                    const block = make(offer)
                    return block
                      ? { dragged: { blocks: [block], movedIds: [] }, label: labelOf(offer.label) }
                      : undefined
                  },
                })
              }
              className={classes(
                'touch-hold flex min-h-9 items-center gap-1.5 rounded-lg border border-line bg-card px-1.5 text-start text-[0.8125rem] hover:border-edge focus-visible:outline-2 focus-visible:outline-accent md:min-h-8',
                isCompact &&
                  'md:justify-center md:border-transparent md:bg-transparent md:px-0 md:hover:bg-sunken',
              )}
            >
              <EditorIcon name={offer.icon} size={15} className="text-muted" />
              <span
                className={classes(
                  'min-w-0 leading-tight wrap-break-word hyphens-auto',
                  isCompact && 'md:sr-only',
                )}
              >
                {labelOf(offer.label)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
})
