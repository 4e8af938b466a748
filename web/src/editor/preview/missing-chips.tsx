// The values that the shown person lacks; a press goes to the block that is left out.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { Icon } from '#ui/base/icon.tsx'
import { useEditor } from '../editor-context.ts'
import { useWorkspaceParts } from '../page/workspace-parts.ts'
import { renderedPersonQuery } from '../surroundings/person.ts'
import { fieldsNeededBy, missingFields } from './missing-values.ts'
import { useShownPreview } from './preview-state.ts'

export function MissingChips() {
  const t = useTranslations('editor.preview')
  const { store } = useEditor()
  const { fields } = useWorkspaceParts()
  const { shown, person, signatureId, drawnTree: tree } = useShownPreview()
  const { data: rendered } = useQuery(renderedPersonQuery(person, signatureId))
  const needed = useMemo(() => fieldsNeededBy(tree, fields), [tree, fields])
  if (!rendered) return null
  const missing = missingFields(needed, rendered)
  if (missing.length === 0) return null
  const name = typeof shown === 'string' ? t(shown) : shown.name
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-muted">
      <span id="missing-values">{t('lacks', { name })}</span>
      <ul aria-labelledby="missing-values" className="contents">
        {missing.map(({ field, blockIds }) => (
          <li key={field.id}>
            <button
              type="button"
              onClick={() => store.select(blockIds)}
              className="inline-flex min-h-6 items-center gap-1 rounded-full bg-warn-soft px-2.5 font-medium text-warn hover:underline focus-visible:outline-2 focus-visible:outline-accent"
            >
              <Icon name="circle-dashed" size={12} />
              {field.label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
