// The canvas alone, or with the other kinds of mail: beside it where there is room, else below it.
import type { Content } from '@signoff/render'
import { type ReactNode, useEffect, useRef } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Badge } from '#ui/layout/page.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import { useShownPreview } from '../rendering/preview-state.tsx'

export interface BesideKinds {
  /** The kind of mail that is edited. */
  readonly title: string
  /** The kinds before it and after it: each keeps its place when another one is edited. */
  readonly before: ReactNode
  readonly after: ReactNode
}

interface KindsLayoutProps {
  readonly beside: BesideKinds | undefined
  /** The parts that belong to the canvas and come after it. */
  readonly below: ReactNode
  readonly children: ReactNode
}

export function KindsLayout({ beside, below, children }: KindsLayoutProps) {
  const t = useTranslations('editor.kinds')
  const { isBeside } = useShownPreview()
  const kinds = isBeside ? beside : undefined
  const canvas = useRef<HTMLDivElement>(null)
  // Another kind of mail was chosen, perhaps far down the pane, whose place begins at its top again.
  useEffect(() => {
    if (isBeside) canvas.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  // The canvas stays the same element: what is edited goes on.
  return (
    <div className={kinds ? '@container' : undefined}>
      <div className={kinds ? 'grid gap-6 @[40rem]:grid-cols-2' : undefined}>
        {kinds?.before}
        <div key="canvas" ref={canvas} className="min-w-0">
          {kinds && (
            <div className="mb-2 flex min-h-7 items-center gap-2">
              <h2 className="text-[0.8125rem] font-semibold">{kinds.title}</h2>
              <Badge variant="accent">{t('editing')}</Badge>
            </div>
          )}
          {children}
        </div>
        {kinds?.after}
        <div key="below" className="col-span-full min-w-0">
          {below}
        </div>
      </div>
    </div>
  )
}

// The tools for kinds of mail in the bar above the canvas: copy the main signature, and show all kinds at once.

/** `main`: what a variant copies; undefined where the main signature itself is edited. */
export function KindTools({ main }: { readonly main: Content | undefined }) {
  const t = useTranslations('editor')
  const { store } = useEditor()
  const { isBeside, setBeside } = useShownPreview()
  const copy = (content: Content) => {
    store.change(() => content, { select: [] })
    toast(t('kinds.copied'), { action: { label: t('undo'), onPress: () => store.undo() } })
  }
  return (
    <>
      {main && <IconButton icon="copy" label={t('kinds.copyMain')} onPress={() => copy(main)} />}
      <span className="tooltip inline-grid" data-tooltip={t('kinds.beside')}>
        <ToggleButton
          aria-label={t('kinds.beside')}
          isSelected={isBeside}
          onChange={setBeside}
          className="inline-grid size-8 place-items-center rounded-lg text-muted data-focus-visible:outline-2 data-focus-visible:outline-accent data-hovered:bg-sunken data-selected:bg-accent-soft data-selected:text-accent"
        >
          <EditorIcon name="columns-2" />
        </ToggleButton>
      </span>
    </>
  )
}
