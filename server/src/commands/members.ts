import { addMember, membersOf } from '#features/accounts/index.ts'
import { chooseWorkspace, print, table, withDatabase } from './context.ts'

interface AddOptions {
  readonly workspace?: string
  readonly name?: string
  readonly role: 'admin' | 'manager' | 'member'
}

export const add = (email: string, { workspace, name, role }: AddOptions): Promise<void> =>
  withDatabase('members', async ({ db }) => {
    const { workspaceId } = await chooseWorkspace(db, workspace)
    await addMember(db, workspaceId, { email, name: name ?? email.split('@')[0] ?? email, role })
    print(`Added ${email} as ${role}. A key for them: npx signoff keys create <name> --member ${email}`)
  })

export const list = ({ workspace }: { workspace?: string }): Promise<void> =>
  withDatabase('members', async ({ db }) => {
    const { workspaceId } = await chooseWorkspace(db, workspace)
    const rows = (await membersOf(db, workspaceId)).map(({ name, email, role }) => [role, name, email])
    print(table([['ROLE', 'NAME', 'EMAIL'], ...rows]))
  })
