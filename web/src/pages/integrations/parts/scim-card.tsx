// SCIM: the other system sends its changes itself. It needs an address and a key, which is shown once.
import type { ApiKeyInput } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Segments } from '#ui/form/segments.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { kinds } from '../kinds.ts'
import { GuideLink } from './outer-link.tsx'

const providers = ['okta', 'entra', 'other'] as const
const hints = ['one', 'two', 'three'] as const

/** The API knows the scope by this name; it is a part of no other one. */
const scimScopes: NonNullable<ApiKeyInput['scopes']> = ['scim:write']

const refreshKeys = () => readAgain('api_keys')

export function ScimCard({ name }: { readonly name: string }) {
  const t = useTranslations('integrations.scim')
  const can = useCan()
  const [provider, setProvider] = useState<(typeof providers)[number]>('okta')
  const makeKey = useAction(refreshKeys, {
    run: () => api.apiKeys.create({ name: t('keyName', { name }), scopes: scimScopes, expires_at: null }),
  })
  return (
    <Card title={t('title')} about={t('about')} actions={<GuideLink href={kinds.scim.guide} />}>
      <div className="grid gap-5">
        {location.protocol !== 'https:' && <Notice kind="warn">{t('needsHttps')}</Notice>}
        <CopyField label={t('address')} value={`${location.origin}/scim/v2`} />
        {makeKey.data ? (
          <div className="grid gap-2">
            <CopyField label={t('key')} value={makeKey.data.key} isSecret />
            <Notice kind="warn">{t('keyOnce')}</Notice>
          </div>
        ) : (
          <div className="grid justify-items-start gap-2">
            <p className="text-[0.8125rem] font-medium">{t('key')}</p>
            <p className="text-[0.8125rem] text-muted">{t('keyAbout')}</p>
            {can('api_keys:write') ? (
              <Button icon="key" isPending={makeKey.isPending} onPress={() => makeKey.mutate()}>
                {t('makeKey')}
              </Button>
            ) : (
              <p className="text-[0.8125rem]">{t('keyByOther')}</p>
            )}
          </div>
        )}
        <div className="grid gap-3">
          <Segments
            label={t('provider')}
            value={provider}
            onChange={setProvider}
            options={providers.map(id => ({ id, label: t(`${id}.label`) }))}
          />
          <ol className="grid list-decimal gap-2 ps-5">
            {hints.map(hint => (
              <li key={hint}>{t(`${provider}.${hint}`)}</li>
            ))}
          </ol>
        </div>
        <p className="text-[0.8125rem] text-muted">
          {t('keys')} <TextLink to="/settings/keys">{t('toKeys')}</TextLink>
        </p>
      </div>
    </Card>
  )
}
