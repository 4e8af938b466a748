// What an entry of the audit log says, in the language of the person.
import type { AuditEntry } from '@signoff/sdk'
import { useMessages, useTranslations } from 'use-intl'
import { fieldLabel } from '#api/field-labels.ts'

type ActionTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The actions with a text, by the type of what was changed. */
export function useAuditActions(): ActionTexts {
  return useMessages().audit.actions as ActionTexts
}

/** “published a signature”, “published 3 signatures”; actions without a text are shown as the API names them. */
export function usePhraseOf(): (action: string, count?: number) => string {
  const t = useTranslations('audit')
  return (action, count = 1) => {
    const key = `actions.${action}` as Parameters<typeof t.has>[0]
    return t.has(key) ? t(key as 'actions.folder.created', { count }) : t('unknownAction', { action })
  }
}

/** The actor: the member, the key, or the operator at the command line. */
export function useActorOf(): (entry: AuditEntry) => string {
  const t = useTranslations('audit')
  return ({ member_name, api_key_name, via }) =>
    member_name ?? api_key_name ?? (via === 'personal_page' ? t('personOfPage') : t('operator'))
}

/** The name of what was changed; built-in fields have one in each language. */
export const nameOfEntry = ({ resource_type, resource_name }: AuditEntry): string =>
  resource_type === 'smart_field' ? fieldLabel(resource_name ?? '') : (resource_name ?? '')

const pages: Readonly<Record<string, string>> = {
  signature: '/signatures',
  marketing_campaign: '/campaigns',
  teammate: '/people',
}

/** The page of what was changed, where there is one. It can be gone by now. */
export const pageOfEntry = ({ resource_type, resource_id, action }: AuditEntry): string | undefined => {
  const path = pages[resource_type]
  return path === undefined || resource_id === null || action.endsWith('.deleted')
    ? undefined
    : `${path}/${resource_id}`
}
