// The signature that the content was read from: whether there is one, and the button that shows it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { originalQuery, type StoredOriginal, storeOriginal } from '#api/originals.ts'
import { Button } from '#ui/base/button.tsx'

export interface ShownOriginal {
  readonly original: StoredOriginal
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

/** Undefined for signatures that were not pasted in this browser. */
export function useOriginal(signatureId: string | undefined): ShownOriginal | undefined {
  const { data } = useQuery(originalQuery(signatureId))
  const [chosen, setChosen] = useState<boolean>()
  if (!data || signatureId === undefined) return undefined
  return {
    original: data,
    isOpen: chosen ?? data.isClosed !== true,
    setOpen(isOpen) {
      setChosen(isOpen)
      void storeOriginal(signatureId, { ...data, isClosed: !isOpen })
    },
  }
}

/** In the header. */
export function OriginalButton({ isOpen, setOpen }: ShownOriginal) {
  const t = useTranslations('editor.original')
  return (
    <Button isSmall icon="columns-3" aria-pressed={isOpen} onPress={() => setOpen(!isOpen)}>
      {t('show')}
    </Button>
  )
}
