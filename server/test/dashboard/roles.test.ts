// Each role sees what the API lets it do, and no more.
// @module-tag deep
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Role, roles } from '#kernel/api/scopes.ts'
import type { TestApp } from '../support/app.ts'
import { type DashboardApp, dashboardApp, follow, visit } from '../support/browser/dashboard.ts'
import { pageFaults } from '../support/browser/sign-in-browser.ts'
import { solidPicture, upload } from '../support/pictures.ts'
import { stack, text } from '../support/signatures.ts'
import { createField, createPublished, createTeammate, startCampaign } from '../support/world.ts'

/** A control, and the scope that the request behind it needs. */
const controls: readonly (readonly [path: string, button: string, scope: string])[] = [
  ['/signatures', 'New signature', 'signatures:write'],
  ['/campaigns', 'New campaign', 'marketing_campaigns:write'],
  ['/people', 'Add a person', 'teammates:write'],
  ['/fields', 'Create a field', 'smart_fields:write'],
  ['/assets', 'Upload images', 'assets:write'],
  ['/settings/members', 'Invite', 'members:write'],
  ['/settings/keys', 'Create key', 'api_keys:write'],
]

const menu: Readonly<Record<string, string>> = {
  Signatures: 'signatures:read',
  People: 'teammates:read',
  Campaigns: 'marketing_campaigns:read',
  Analytics: 'analytics:read',
  Integrations: 'integrations:read',
  Approvals: 'signatures:write',
}

let dashboard: DashboardApp
beforeAll(async () => {
  dashboard = await dashboardApp()
  await fill(dashboard.app)
})
afterAll(() => {
  expect(pageFaults).toEqual([])
})

/** One of each: a page shows its controls beside rows, and rows ask for more. The demo would draw hundreds of them. */
async function fill(app: TestApp): Promise<void> {
  const { emailId } = await createTeammate(app)
  await createPublished(app, { draft_content: stack(text('Kind regards')) }, emailId)
  const logo = await upload(app, await solidPicture(40, 40).png().toBuffer())
  const children = [{ type: 'image', assetUuid: logo.body.data.id, alt: 'Fair' }]
  await startCampaign(app, { content: { type: 'stack', children } })
  await createField(app, 'Pronouns')
}

/** The role `member` in a workspace whose members read everything. */
const people = [...roles.map(role => [role, 'own'] as const), ['member', 'read'] as const] as const

async function openAs(role: Role): Promise<{ page: Page; scopes: readonly string[]; refused: string[] }> {
  const person = await dashboard.app.signIn({ role })
  const page = await dashboard.openAs(person)
  const refused: string[] = []
  page.on('response', response => {
    if (response.status() === 403) refused.push(`${role} ${response.url()}`)
  })
  const { body } = await person.get('/v1/me')
  return { page, scopes: body.data.scopes, refused }
}

describe('a person with the role', () => {
  it.each(people)(
    '%s (member_access: %s) finds the controls that the API allows, and opens no page that it refuses',
    async (role, member_access) => {
      await dashboard.app.patch('/v1/workspace', { member_access })
      const { page, scopes, refused } = await openAs(role)
      await visit(page, `${dashboard.url}/signatures`)
      const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
      for (const [name, scope] of Object.entries(menu))
        expect(
          links.some(text => text.startsWith(name)),
          `${role}: ${name}`,
        ).toBe(scopes.includes(scope))
      for (const [path, button, scope] of controls) {
        await follow(page, path)
        const control = page.getByRole('button', { name: button, exact: true })
        if (scopes.includes(scope)) await control.first().waitFor()
        else expect(await control.count(), `${role}: ${button} on ${path}`).toBe(0)
      }
      expect(refused).toEqual([])
      await page.context().close()
    },
  )
})
