// Goes to the next person who lacks a value that the signature shows, and says which.
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useMessageOf } from '#state/error-messages.ts'
import { toast, toastError, toastNote } from '#ui/feedback/toast.tsx'
import { useAnnounce } from '../announcements.tsx'
import { useEditor } from '../editor-context.ts'
import { useWorkspaceParts } from '../page/workspace-parts.ts'
import { fieldsNeededBy } from './missing-values.ts'
import { personAfter, readPeopleWithGaps } from './people-with-gaps.ts'
import { useShownPreview } from './preview-state.ts'

/** `fieldId`: only people without a value for this field. */
export function useNextGap(): { readonly goToNextGap: (fieldId?: string) => void; isSearching: boolean } {
  const t = useTranslations('editor.preview')
  const format = useFormatter()
  const messageOf = useMessageOf()
  const announce = useAnnounce()
  const { store } = useEditor()
  const { fields } = useWorkspaceParts()
  const { shown, setShown, signatureId } = useShownPreview()
  const [isSearching, setSearching] = useState(false)
  const go = async (fieldId?: string) => {
    const needed = fieldsNeededBy(store.getState().tree, fields)
      .map(({ field }) => field.id)
      .filter(id => fieldId === undefined || id === fieldId)
    const { people, cut } = await readPeopleWithGaps(signatureId, needed, fields)
    const from = typeof shown === 'string' ? undefined : shown.emailId
    const next = personAfter(people, from)
    if (!next && needed.length === 0) return toastNote(t('noFields'))
    if (!next) return cut ? toastNote(t('noGapsInFirst', cut)) : toast(t('noGaps'))
    const labels = next.missing.flatMap(id => fields.find(field => field.id === id)?.label ?? [])
    setShown(next)
    announce(t('gapsOf', { name: next.name, fields: format.list(labels) }))
    // Once, at the beginning of the walk.
    if (cut && next === people[0]) toastNote(t('firstOnly', cut))
  }
  const goToNextGap = (fieldId?: string) => {
    setSearching(true)
    go(fieldId)
      .catch(error => toastError(messageOf(error)))
      .finally(() => setSearching(false))
  }
  return { goToNextGap, isSearching }
}
