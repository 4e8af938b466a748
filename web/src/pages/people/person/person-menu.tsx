import type { Teammate } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.tsx'
import { useNameOf } from '#api/teammates.ts'
import { usePersonAction } from '#records/people/person-data.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Menu } from '#ui/menu.tsx'

export function PersonMenu({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people')
  const shell = useTranslations('shell')
  const can = useCan()
  const directory = useDrivingDirectory()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const ids = [person.id]
  const failed = t('notDone')
  const deactivate = usePersonAction(() => api.teammates.deactivate({ ids }), t('deactivated'), failed, {
    label: t('undo'),
    send: () => api.teammates.activate({ ids }),
  })
  const activate = usePersonAction(() => api.teammates.activate({ ids }), t('activated'), failed)
  const remove = usePersonAction(
    async () => {
      await api.teammates.delete(person.id)
      await navigate({ to: '/people' as string })
    },
    t('deleted', { name: nameOf(person) }),
    failed,
  )
  // Who there is, and who is active, is decided there.
  if (!can('teammates:write') || directory) return null
  return (
    <>
      <Menu
        label={shell('more')}
        trigger={<Button icon="ellipsis">{shell('more')}</Button>}
        entries={[
          person.active
            ? { id: 'off', label: t('bulk.deactivate'), icon: 'pause', onAction: () => deactivate.mutate() }
            : { id: 'on', label: t('bulk.activate'), icon: 'play', onAction: () => activate.mutate() },
          ...(can('teammates:delete')
            ? [
                {
                  id: 'delete',
                  label: shell('delete'),
                  icon: 'circle-x' as const,
                  isDangerous: true,
                  beginsGroup: true,
                  onAction: () => setAsking(true),
                },
              ]
            : []),
        ]}
      />
      <ConfirmDialog
        title={t('bulk.deleteTitle', { count: 1 })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={shell('delete')}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t('bulk.deleteText')}
      </ConfirmDialog>
    </>
  )
}
