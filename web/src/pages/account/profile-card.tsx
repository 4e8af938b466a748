import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { accountCall, type Profile, refreshAccount } from '#api/account.ts'
import { queryClient } from '#api/client.ts'
import { meQuery, useMe } from '#api/session.ts'
import { languageKey } from '#texts/languages.ts'
import { Button } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'

const languages = ['browser', 'en', 'de'] as const

export function ProfileCard({ profile }: { readonly profile: Profile }) {
  const t = useTranslations('account.profile')
  const shell = useTranslations('shell')
  const [language, setLanguage] = useState<(typeof languages)[number]>(profile.locale ?? 'browser')
  const locale = language === 'browser' ? null : language
  const done = async () => {
    if (locale !== profile.locale) {
      // A language that this browser alone has stored is older than this choice. Texts are loaded with the page.
      localStorage.removeItem(languageKey)
      location.reload()
      return
    }
    toast(shell('saved'))
    await Promise.all([refreshAccount(), queryClient.invalidateQueries(meQuery)])
  }
  return (
    <Card title={t('title')} about={profile.email}>
      <Form
        onSubmit={form => accountCall('PATCH', '/v1/me/account', { name: form.get('name'), locale })}
        onDone={() => void done()}
      >
        {({ isPending }) => (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label={t('name')}
                name="name"
                defaultValue={profile.name}
                autoComplete="name"
                maxLength={200}
                isRequired
              />
              <Select
                label={shell('language')}
                value={language}
                onChange={setLanguage}
                options={languages.map(id => ({ id, label: t(`languages.${id}`) }))}
              />
            </div>
            <div>
              <Button type="submit" isPending={isPending}>
                {shell('save')}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Card>
  )
}

/** Name, language and ways to sign in belong to the account, not to the company that signed the person in. */
export function CompanyProfileCard() {
  const t = useTranslations('account.profile')
  const { account } = useMe()
  return (
    <Card title={t('title')} about={account.email}>
      <p className="mb-4 font-medium">{account.name}</p>
      <Notice>{t('company')}</Notice>
    </Card>
  )
}
