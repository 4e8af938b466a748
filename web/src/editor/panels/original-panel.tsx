// The signature that the content was read from, beside the canvas, to compare while mending.
import { useTranslations } from 'use-intl'
import { ImportedChanges } from '#records/originals/imported-changes.tsx'
import { OriginalFrame } from '#records/originals/original-frame.tsx'
import { IconButton } from '#ui/base/button.tsx'
import type { ShownOriginal } from './original-button.tsx'

export default function OriginalPanel({ original, setOpen }: ShownOriginal) {
  const t = useTranslations('editor.original')
  const signatures = useTranslations('signatures')
  const changes = original.changes.map(({ code, what }) => ({
    code,
    text: signatures(`notMapped.${code}`),
    what,
  }))
  return (
    <section
      aria-label={t('label')}
      className="mb-6 max-w-2xl flex-1 basis-full rounded-xl border border-line bg-card 2xl:basis-80"
    >
      <header className="flex items-center justify-between gap-2 ps-4 pe-2 pt-1.5">
        <h2 className="text-[0.8125rem] font-medium">{t('label')}</h2>
        <IconButton icon="x" label={t('close')} onPress={() => setOpen(false)} />
      </header>
      <div className="m-3 mt-1 max-h-44 overflow-y-auto 2xl:max-h-96 rounded-lg bg-white p-4">
        <OriginalFrame html={original.html} title={t('label')} />
      </div>
      {changes.length > 0 && (
        <div className="m-3">
          <ImportedChanges changes={changes} isOpen={false} />
        </div>
      )}
    </section>
  )
}
