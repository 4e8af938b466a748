import { useTranslations } from 'use-intl'
import { switchWorkspace } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { Badge, Card } from '#ui/layout/page.tsx'

export function WorkspacesCard() {
  const t = useTranslations('account.workspaces')
  const shell = useTranslations('shell')
  const { workspace, workspaces } = useMe()
  return (
    <Card title={t('title')}>
      <ul className="divide-y divide-line">
        {workspaces.map(({ id, name, role }) => (
          <li key={id} className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{name}</p>
              <p className="text-[0.8125rem] text-muted">{shell(`roles.${role}`)}</p>
            </div>
            {id === workspace.id ? (
              <Badge variant="good">{t('current')}</Badge>
            ) : (
              <Button isSmall aria-label={t('openNamed', { name })} onPress={() => switchWorkspace(id)}>
                {t('open')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
