import { type Command, Option } from 'commander'
import { addMember, membersOf } from '../features/workspaces/index.ts'
import { roles } from '../kernel/scopes.ts'
import { chooseWorkspace, print, table, withDatabase, workspaceOption } from './context.ts'

type AddOptions = { workspace?: string; name?: string; role: 'admin' | 'manager' | 'member' }

export function memberCommands(program: Command): void {
  const members = program.command('members').description('people who administer a workspace')
  const role = new Option('-r, --role <role>', 'what they may do')
  members
    .command('add <email>')
    .description('add a member')
    .option(...workspaceOption)
    .option('-n, --name <name>', 'their name; the part before the @ unless given')
    .addOption(role.choices(roles.filter(one => one !== 'owner')).default('member'))
    .action((email: string, { workspace, name, role }: AddOptions) =>
      withDatabase('members', async ({ db }) => {
        const { workspaceId } = await chooseWorkspace(db, workspace)
        await addMember(db, workspaceId, { email, name: name ?? email.split('@')[0] ?? email, role })
        print(`Added ${email} as ${role}. A key for them: npx signoff keys create <name> --member ${email}`)
      }),
    )
  members
    .command('list')
    .description('list the members')
    .option(...workspaceOption)
    .action(({ workspace }: { workspace?: string }) =>
      withDatabase('members', async ({ db }) => {
        const { workspaceId } = await chooseWorkspace(db, workspace)
        const rows = (await membersOf(db, workspaceId)).map(({ name, email, role }) => [role, name, email])
        print(table([['ROLE', 'NAME', 'EMAIL'], ...rows]))
      }),
    )
}
