import type { Brand, BrandPatch, RequestOptions, WorkspacePatch } from '@signoff/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { meQuery, useCan, useMe } from '#api/session.ts'
import { readAllFields } from '#api/smart-fields.ts'
import { saveOverSeen, useEdit } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { PasteSignature } from './paste-signature.tsx'
import { StepButtons, StepFrame } from './step-frame.tsx'
import { usePreviewAddress, useStep } from './steps.ts'
import { LogoField, MainColorField } from './style-fields.tsx'

/** Public mail providers: their domains belong to no company. */
const freeMail = /^(gmail|googlemail|outlook|hotmail|live|yahoo|icloud|gmx|web|proton|protonmail|t-online)\./

const ownDomain = (address: string): string => {
  const domain = address.split('@')[1] ?? ''
  return freeMail.test(domain) || !domain.includes('.') ? '' : domain
}

const withScheme = (address: string): string =>
  /^https?:\/\//i.test(address) ? address : `https://${address}`

/** People without a company of their own show this one. */
async function nameCompany(name: string): Promise<void> {
  const company = (await readAllFields()).find(({ key }) => key === 'company')
  if (company && company.fallback !== name && name !== '')
    await saveOverSeen({
      seen: company,
      patch: { fallback: name },
      read: () => api.smartFields.get(company.id),
      save: (patch, options) => api.smartFields.update(company.id, patch, options),
    })
}

const refreshCompany = () =>
  Promise.all(
    [meQuery.queryKey, ['brand'], ['templates'], ['checklist']].map(queryKey =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

/** Name, domains and website, each over the value that the page has shown. */
function useCompanySave(brand: Brand): (form: FormData) => Promise<void> {
  const t = useTranslations('welcome.company')
  const { workspace } = useMe()
  const shared = {
    labelOf: (key: string) => t(key === 'domains' ? 'domains' : key === 'website' ? 'website' : 'name'),
    onDiscard: () => void refreshCompany(),
  }
  const editWorkspace = useEdit({
    ...shared,
    seen: workspace,
    read: () => api.workspace.get(),
    save: (patch: WorkspacePatch, options: RequestOptions) => api.workspace.update(patch, options),
  })
  const editBrand = useEdit({
    ...shared,
    seen: brand,
    read: () => api.brand.get(),
    save: (patch: BrandPatch, options: RequestOptions) => api.brand.update(patch, options),
  })
  return async form => {
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const domains = text('domains')
      .split(/[\s,;]+/)
      .filter(Boolean)
    await editWorkspace({ name: text('name'), domains })
    await editBrand({ website: text('website') === '' ? null : withScheme(text('website')) })
    await nameCompany(text('name'))
    await refreshCompany()
  }
}

const typedKey = 'signoff.welcome.company'

/** The texts that are typed and not saved yet, so that loading the page again does not lose them. */
function useTyped() {
  const { workspace } = useMe()
  const key = `${typedKey}.${workspace.id}`
  const [typed] = useState<Readonly<Record<string, string>>>(() =>
    JSON.parse(sessionStorage.getItem(key) ?? '{}'),
  )
  const keep = (event: FormEvent) => {
    const { name, value } = event.target as HTMLInputElement
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    if (name) sessionStorage.setItem(key, JSON.stringify({ ...stored, [name]: value }))
  }
  return { typed, keep, forget: () => sessionStorage.removeItem(key) }
}

/** A design with the brand as it is now. */
function BrandExample() {
  const t = useTranslations('welcome.company')
  const address = usePreviewAddress({ needsDetails: true })
  const { data } = useQuery({
    queryKey: ['templates', 'example', address.id],
    queryFn: async () => {
      const { content } = await api.templates.get('corporate-classic')
      return api.content.preview({ content, ...(address.id !== undefined && { email_id: address.id }) })
    },
    enabled: address.isReady,
    placeholderData: before => before,
  })
  return (
    <figure className="rounded-2xl border border-line bg-white p-5">
      <div className="min-h-32">
        {data && <SignatureFrame html={data.html} title={t('example')} width={420} />}
      </div>
      <figcaption className="mt-3 text-xs text-[#5b6270]">{t('example')}</figcaption>
    </figure>
  )
}

export function CompanyStep() {
  const t = useTranslations('welcome.company')
  const shared = useTranslations('welcome')
  const { workspace, account } = useMe()
  const mayEdit = useCan()('workspace:write')
  const [, goTo] = useStep()
  const [isPasting, setPasting] = useState(false)
  const { data: brand } = useSuspenseQuery({ queryKey: ['brand'], queryFn: () => api.brand.get() })
  const save = useCompanySave(brand)
  const { typed, keep, forget } = useTyped()
  const goOn = () => {
    forget()
    goTo('people')
  }
  const domains = workspace.domains.join(', ') || ownDomain(account.email)
  const website = brand.website ?? (ownDomain(account.email) && `https://www.${ownDomain(account.email)}`)
  return (
    <StepFrame title={t('title')} about={t('about')}>
      {!mayEdit && <Notice>{t('readOnly')}</Notice>}
      <Form onSubmit={save} onDone={goOn} className="">
        {({ isPending }) => (
          <>
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-2">
              <fieldset
                disabled={!mayEdit}
                onInput={keep}
                className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5"
              >
                <div>
                  <Button
                    icon="sparkles"
                    onPress={() => setPasting(true)}
                    isDisabled={!mayEdit}
                    className="text-start whitespace-normal!"
                  >
                    {t('paste')}
                  </Button>
                  <p className="mt-1 text-[0.8125rem] text-muted">{t('pasteHint')}</p>
                </div>
                <TextField
                  name="name"
                  label={t('name')}
                  defaultValue={typed['name'] ?? workspace.name}
                  isRequired
                  isDisabled={!mayEdit}
                />
                <LogoField brand={brand} />
                <MainColorField brand={brand} />
                <TextField
                  key={website}
                  name="website"
                  label={t('website')}
                  defaultValue={typed['website'] ?? website}
                  isDisabled={!mayEdit}
                />
                <TextField
                  name="domains"
                  label={t('domains')}
                  hint={t('domainsHint')}
                  defaultValue={typed['domains'] ?? domains}
                  isDisabled={!mayEdit}
                />
              </fieldset>
              <BrandExample />
            </div>
            <StepButtons onSkip={goOn}>
              {mayEdit && (
                <Button type="submit" variant="primary" isPending={isPending}>
                  {shared('continue')}
                </Button>
              )}
            </StepButtons>
          </>
        )}
      </Form>
      <PasteSignature
        brand={brand}
        isOpen={isPasting}
        onClose={() => setPasting(false)}
        onDone={() => setPasting(false)}
      />
    </StepFrame>
  )
}
