// The tools for kinds of mail in the bar above the canvas: copy the main signature, and show all kinds at once.
import type { Content } from '@signoff/render'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useEditor } from '../editor-context.ts'
import { EditorIcon } from '../editor-icon.tsx'
import { useShownPreview } from '../preview/preview-state.ts'

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
