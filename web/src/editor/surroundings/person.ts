// The people that the editor can show.
import { queryOptions } from '@tanstack/react-query'
import { api } from '#api/client.ts'

/** An address, or sample values. */
export type PersonChoice = { readonly emailId: string } | 'placeholder' | 'longest'

/** Whose contact card and pictures: samples have those of the placeholders. */
export const emailIdOf = (choice: PersonChoice): string | null =>
  typeof choice === 'string' ? null : choice.emailId

/** `signatureId`: the signature whose campaigns are meant; undefined for content that belongs to none. */
export const renderedPersonQuery = (choice: PersonChoice, signatureId?: string) =>
  queryOptions({
    queryKey: ['teammates', 'rendered', choice, signatureId ?? null],
    queryFn: () =>
      api.content.person({
        ...(typeof choice === 'string' ? { sample: choice } : { email_id: choice.emailId }),
        ...(signatureId !== undefined && { signature_id: signatureId }),
      }),
    staleTime: 30_000,
  })
