import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { accountCall, refreshAccount } from '#api/account.ts'
import type { OwnProblemMessage } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Card } from '#ui/layout/page.tsx'

interface PasswordCardProps {
  readonly email: string
  readonly hasPassword: boolean
}

export function PasswordCard({ email, hasPassword }: PasswordCardProps) {
  const t = useTranslations('account.password')
  const [round, setRound] = useState(0)
  const problemText: OwnProblemMessage = ({ field, code }) =>
    field === 'current' && code === 'invalid' ? t('wrong') : undefined
  const done = () => {
    toast(t('done'))
    // Empty fields again.
    setRound(round + 1)
    void refreshAccount()
  }
  return (
    <Card title={t('title')} about={t(hasPassword ? 'about' : 'none')}>
      <Form
        key={round}
        problemText={problemText}
        controlOf={field => (field === 'password' ? 'new' : undefined)}
        onSubmit={form => {
          const current = form.get('current')
          return accountCall('POST', '/auth/password/change', {
            new: form.get('new'),
            ...(current !== null && { current }),
          })
        }}
        onDone={done}
      >
        {({ isPending }) => (
          <>
            {/* Password managers learn which account the password belongs to. */}
            <input type="hidden" name="email" autoComplete="username" value={email} />
            <div className="grid items-start gap-4 sm:grid-cols-2">
              {hasPassword && (
                <TextField
                  label={t('current')}
                  name="current"
                  type="password"
                  autoComplete="current-password"
                  isRequired
                />
              )}
              <TextField
                label={t('new')}
                name="new"
                type="password"
                autoComplete="new-password"
                hint={t('hint')}
                isRequired
              />
            </div>
            <div>
              <Button type="submit" isPending={isPending}>
                {t(hasPassword ? 'change' : 'set')}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Card>
  )
}
