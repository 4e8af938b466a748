// The size that mailboxes get, against the limit of Gmail.
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { useEditor } from '../editor-context.ts'
import { useInstalledExtra } from '../surroundings/use-installed-size.ts'
import { LargestParts } from './largest-parts.tsx'
import { useShownPreview } from './preview-state.ts'
import { gmailLimit, sizeLevel } from './size-level.ts'

export function SizeMeter() {
  const t = useTranslations('editor.modes')
  const { kind } = useEditor().store
  const { drawing, drawnTree, person, campaign } = useShownPreview()
  const extra = useInstalledExtra(drawnTree, person, campaign, drawing !== undefined)
  if (!drawing) return null
  const length = drawing.length + (extra ?? 0)
  const level = sizeLevel(length)
  const text = t('size', { kind, size: length, limit: gmailLimit })
  return (
    <div className="mx-auto mt-3 flex w-full max-w-2xl flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      <div
        role="meter"
        aria-label={t('sizeLabel')}
        aria-valuemin={0}
        aria-valuemax={gmailLimit}
        aria-valuenow={Math.min(length, gmailLimit)}
        aria-valuetext={text}
        className="h-1.5 w-28 overflow-hidden rounded-full bg-line"
      >
        <div
          className={classes(
            'h-full rounded-full',
            { fine: 'bg-good', warn: 'bg-warn', bad: 'bg-bad' }[level],
          )}
          style={{ width: `${Math.min(100, (length / gmailLimit) * 100)}%` }}
        />
      </div>
      <p className={{ fine: 'text-muted', warn: 'text-warn', bad: 'font-medium text-bad' }[level]}>
        {text}
        {level !== 'fine' && ` · ${t(level === 'bad' ? 'tooLarge' : 'nearLimit')}`}
      </p>
      {level !== 'fine' && <LargestParts />}
    </div>
  )
}
