// What an integration needs from a person: an approval, a repair, or the rest of the set-up.
import type { Integration } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { LinkButton } from '#ui/base/button.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { stateOf, useRun } from '../data.ts'

function HeldNotice({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const { data: run } = useRun(integration.held_run_id)
  return (
    <Notice kind="warn">
      <p className="font-medium">
        {run ? t('held.title', { people: run.people_held, members: run.members_held }) : t('held.waiting')}
      </p>
      <p>{t('held.about')}</p>
      <LinkButton
        to={`/integrations/${integration.id}/runs/${integration.held_run_id}`}
        variant="primary"
        isSmall
        className="mt-2.5"
      >
        {t('held.look')}
      </LinkButton>
    </Notice>
  )
}

function ErrorNotice({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const format = useFormatter()
  const can = useCan()
  const { id, error_message: message, error_since: since } = integration
  return (
    <Notice kind="bad">
      <p className="font-medium">{message ?? t('statuses.error')}</p>
      {since !== null && (
        <p>
          {t('errorSince', {
            when: format.dateTime(new Date(since), { dateStyle: 'medium', timeStyle: 'short' }),
          })}
        </p>
      )}
      {can('integrations:write') && (
        <LinkButton to={`/integrations/${id}/setup`} isSmall className="mt-2.5">
          {t('findOut')}
        </LinkButton>
      )}
    </Notice>
  )
}

function UnfinishedNotice({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const can = useCan()
  return (
    <Notice>
      <p>{t('unfinished.about')}</p>
      {can('integrations:write') && (
        <LinkButton to={`/integrations/${integration.id}/setup`} variant="primary" isSmall className="mt-2.5">
          {t('unfinished.continue')}
        </LinkButton>
      )}
    </Notice>
  )
}

const nothing = () => null
const notices = {
  held: HeldNotice,
  error: ErrorNotice,
  unfinished: UnfinishedNotice,
  quiet: nothing,
  active: nothing,
}

export function StateNotice({ integration }: { readonly integration: Integration }) {
  const StateText = notices[stateOf(integration)]
  return <StateText integration={integration} />
}
