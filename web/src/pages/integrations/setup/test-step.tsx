import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Button, LinkButton } from '#ui/button.tsx'
import { Actions } from '#ui/dialog.tsx'
import { Card } from '#ui/page.tsx'
import { ConnectionTest, useConnectionTest } from '../parts/connection-test.tsx'

export function TestStep({
  integration,
  onDone,
}: {
  readonly integration: Integration
  readonly onDone: () => void
}) {
  const t = useTranslations('integrations.setup')
  const test = useConnectionTest(integration.id, true)
  const isGood = test.data?.steps.every(({ ok }) => ok) ?? false
  return (
    <Card title={t('testTitle')} about={t('testAbout')}>
      <ConnectionTest test={test} />
      <Actions>
        <LinkButton to={`/integrations/${integration.id}/settings`}>{t('changeEntered')}</LinkButton>
        <Button
          look={isGood ? 'primary' : 'secondary'}
          isDisabled={test.isPending || !test.data}
          onPress={onDone}
        >
          {t(isGood || test.isPending ? 'continue' : 'continueAnyway')}
        </Button>
      </Actions>
    </Card>
  )
}
