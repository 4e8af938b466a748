// The commands about invoices: see index.ts.
import { type Command, Option } from 'commander'
import { wholeNumber, workspaceOption } from './integration-commands.ts'

const issuerOption = () =>
  new Option('-i, --issuer <word>', 'which issuer, where there are several').default('main')

export function billingCommands(program: Command): void {
  const code = () => import('./workspace/billing.ts')
  const billing = program.command('billing').description('invoices to workspaces, and those of Stripe')
  billing
    .command('issuer')
    .description('say who issues invoices; without options, list the issuers')
    .addOption(issuerOption())
    .option('-n, --name <name>', 'name of the company')
    .option('-a, --address <line...>', 'lines of its address; they replace the previous ones')
    .option('-t, --tax-id <number>', 'tax number; an empty one removes it')
    .option('-p, --payment <line...>', 'how to pay: bank account and the like')
    .option('--prefix <text>', 'what numbers begin with; INV- unless given')
    .option('--first-number <number>', 'number of the first invoice, with a new issuer only', wholeNumber)
    .action(async options => (await code()).setIssuer(options))
  billing
    .command('recipient')
    .description('say to whom the invoices of a workspace are addressed; without options, show it')
    .option('-n, --name <name>', 'name of the company; the name of the workspace unless given')
    .option('-a, --address <line...>', 'lines of its address; they replace the previous ones')
    .option('-t, --tax-id <number>', 'tax number; an empty one removes it')
    .option('-r, --reference <text>', 'order number or cost centre; an empty one removes it')
    .option(...workspaceOption)
    .action(async options => (await code()).setRecipient(options))
  billing
    .command('issue')
    .description('issue the invoice of a month: numbered, as PDF/A-3, from the seats of its days')
    .requiredOption('-p, --period <month>', 'month in UTC, such as 2026-11')
    .requiredOption('-s, --seat-price <amount>', 'price of a seat for the month, such as 2.00')
    .requiredOption('-c, --currency <code>', 'currency, such as EUR')
    .option('-t, --tax-rate <percent>', 'tax on top of the price, such as 19', '0')
    .addOption(
      new Option('--seats <rule>', 'which seats are charged: the highest count of the month, or the average')
        .choices(['peak', 'average'])
        .default('peak'),
    )
    .option('--due-days <days>', 'days until it is due', wholeNumber, 14)
    .option('--note <text>', 'sentence on the invoice, such as a reason for no tax')
    .addOption(issuerOption())
    .option('--again', 'although the month has an invoice already')
    .option(...workspaceOption)
    .action(async options => (await code()).issue(options))
  billing
    .command('credit <number>')
    .description('cancel an issued invoice by a credit note')
    .option('--note <text>', 'sentence on the credit note')
    .option(...workspaceOption)
    .action(async (number, options) => (await code()).credit(number, options))
  billing
    .command('list')
    .description('list the invoices and credit notes of a workspace')
    .option(...workspaceOption)
    .action(async options => (await code()).list(options))
  billing
    .command('import')
    .description('bring documents of another system')
    .command('stripe')
    .description('bring the invoices and credit notes of a customer at Stripe, with their files')
    .option('-k, --key <secret>', 'key of Stripe that can read invoices and credit notes')
    .option('-f, --key-file <path>', 'file with the key, which other users of the machine cannot see')
    .requiredOption('-c, --customer <id>', 'customer at Stripe, such as cus_123')
    .option('--api <address>', 'another address than https://api.stripe.com')
    .option(...workspaceOption)
    .action(async options => (await code()).importStripe(options))
}
