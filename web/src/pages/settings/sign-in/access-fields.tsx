// Who gets in through a connection, and with which role.
import { useTranslations } from 'use-intl'
import { useMe } from '#api/session.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TagsField } from '#ui/form/tags-field.tsx'
import { type ConnectionPartProps, PartField } from './provider-fields.tsx'

const roles = ['member', 'manager', 'admin'] as const

function GroupRoles({ values, set }: ConnectionPartProps) {
  const t = useTranslations('settings.signIn.form')
  const shell = useTranslations('shell')
  const { group_roles: rows } = values
  const change = (index: number, part: Partial<(typeof rows)[number]>) =>
    set({ group_roles: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) })
  return (
    <div className="grid gap-2">
      {rows.map((row, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_9rem_auto] items-center gap-2">
          <TextField
            label={t('group', { number: index + 1 })}
            isLabelHidden
            placeholder={t('groupPlaceholder')}
            value={row.group}
            onChange={group => change(index, { group })}
          />
          <Select
            label={t('roleOfGroup', { number: index + 1 })}
            isLabelHidden
            value={row.role}
            onChange={role => change(index, { role })}
            options={roles.map(id => ({ id, label: shell(`roles.${id}`) }))}
          />
          <IconButton
            icon="trash-2"
            label={shell('removeOne', { name: row.group || String(index + 1) })}
            onPress={() => set({ group_roles: rows.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      <Button
        isSmall
        icon="plus"
        className="justify-self-start"
        onPress={() => set({ group_roles: [...rows, { group: '', role: 'member' }] })}
      >
        {t('addGroup')}
      </Button>
    </div>
  )
}

export function AccessFields(props: ConnectionPartProps) {
  const { values, set, isStored } = props
  const t = useTranslations('settings.signIn.form')
  const shell = useTranslations('shell')
  const isOwner = useMe().member.role === 'owner'
  return (
    <>
      <TagsField
        label={t('domains')}
        name="allowed_domains"
        hint={t('domainsHint')}
        placeholder="example.com"
        values={values.allowed_domains}
        onChange={allowed_domains => set({ allowed_domains })}
      />
      <Switch
        label={t('justInTime')}
        hint={t('justInTimeHint')}
        isSelected={values.just_in_time}
        onChange={just_in_time => set({ just_in_time })}
      />
      <Switch
        label={t('trustEmail')}
        hint={t('trustEmailHint')}
        isSelected={values.trust_email}
        onChange={trust_email => set({ trust_email })}
      />
      <Select
        label={t('defaultRole')}
        hint={t('defaultRoleHint')}
        value={values.default_role}
        onChange={default_role => set({ default_role })}
        options={[
          { id: 'none', label: t('noRole') },
          ...roles.map(id => ({ id, label: shell(`roles.${id}`) })),
        ]}
      />
      <details className="rounded-xl border border-line p-4">
        <summary className="cursor-pointer font-medium">{t('more')}</summary>
        <div className="mt-4 grid gap-4">
          <PartField
            values={values}
            set={set}
            part="group_claim"
            label={t('groupClaim')}
            placeholder="groups"
            hint={t('groupClaimHint')}
          />
          <GroupRoles {...props} />
          <PartField
            values={values}
            set={set}
            part="email_claim"
            label={t('emailClaim')}
            hint={t('emailClaimHint')}
          />
          {values.kind === 'saml' && (
            <Switch
              label={t('idpInitiated')}
              hint={t('idpInitiatedHint')}
              isSelected={values.idp_initiated}
              onChange={idp_initiated => set({ idp_initiated })}
            />
          )}
          {isStored && isOwner && (
            <Switch
              label={t('ownerTrusted')}
              hint={t('ownerTrustedHint')}
              isSelected={values.owner_trusted}
              onChange={owner_trusted => set({ owner_trusted })}
            />
          )}
        </div>
      </details>
    </>
  )
}
