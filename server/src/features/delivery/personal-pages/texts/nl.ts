import type { PageTexts } from './page-texts.ts'

const copy = 'Kies hierboven ‘Handtekening kopiëren’.'

export const dutchPage: PageTexts = {
  title: 'Uw e-mailhandtekening',
  states: {
    never:
      'Uw handtekening staat klaar. Kopieer haar en plak haar in uw mailprogramma: dat duurt een minuut.',
    outdated: 'Er is een nieuwe versie. Kopieer de handtekening opnieuw en vervang de vorige.',
    current: 'U hebt de actuele handtekening. U hoeft niets te doen; u kunt haar altijd opnieuw kopiëren.',
  },
  noSignature:
    'Er is nog geen handtekening voor dit adres. Er is niets mis en u hoeft niets te doen: zodra u er een krijgt, staat ze hier.',
  copyStates: {
    current: 'U hebt de actuele handtekening. Plak haar in uw mailprogramma als u dat nog niet hebt gedaan.',
    outdated:
      'Uw handtekening is veranderd sinds deze pagina werd geopend. Laad de pagina opnieuw en kopieer de nieuwe.',
    none: 'Er is geen handtekening meer voor dit adres. Laad de pagina opnieuw om zeker te zijn.',
  },
  signature: 'Zo ziet ze eruit',
  whichSignature: 'Welke handtekening?',
  kinds: { new: 'Voor nieuwe mails', reply: 'Voor antwoorden' },
  subjects: { new: 'Nieuw bericht', reply: 'Re: Uw bericht' },
  sampleMail: ['Hallo,', 'zo zien uw mails eruit.'],
  noReply:
    'Antwoorden hebben geen handtekening: kies in uw mailprogramma ‘geen handtekening’ voor antwoorden.',
  copy: {
    rich: 'Handtekening kopiëren',
    text: 'Als platte tekst kopiëren',
    source: 'HTML-broncode kopiëren',
  },
  copied: {
    rich: 'Gekopieerd. Plak haar nu in uw mailprogramma: de stappen staan hieronder.',
    text: 'Als platte tekst gekopieerd.',
    source: 'De HTML-broncode is gekopieerd.',
  },
  copyRefused:
    'Uw browser staat kopiëren hier niet toe. De handtekening is geselecteerd: druk op Ctrl+C, of ⌘C op een Mac.',
  byHand:
    'De kopieerknoppen hebben JavaScript nodig. Zonder JavaScript selecteert u de handtekening met de muis en kopieert u haar.',
  onDark: 'Op een donkere achtergrond tonen',
  install: 'Zo stelt u haar in',
  likely: 'Waarschijnlijk het uwe',
  programs: {
    gmail: {
      name: 'Gmail',
      steps: [
        copy,
        'Open Gmail op een computer, kies het tandwiel rechtsboven en dan ‘Alle instellingen bekijken’.',
        'Ga onder ‘Algemeen’ naar ‘Handtekening’ en kies ‘Nieuwe maken’. De naam is vrij.',
        'Klik in het lege vak en plak.',
        'Kies daaronder deze handtekening voor nieuwe e-mails en, als u wilt, voor antwoorden.',
        'Kies helemaal onderaan ‘Wijzigingen opslaan’.',
      ],
      note: 'De Gmail-app op een telefoon heeft een eigen handtekening in platte tekst: gebruik ‘Als platte tekst kopiëren’.',
    },
    outlook_web: {
      name: 'Outlook op het web',
      steps: [
        copy,
        'Open Outlook in de browser en kies het tandwiel rechtsboven.',
        'Ga naar ‘Account’ en dan ‘Handtekeningen’. In oudere versies: ‘E-mail’, ‘Opstellen en beantwoorden’.',
        'Kies ‘Handtekening toevoegen’, of die u hebt, en plak in het vak.',
        'Kies haar als standaard voor nieuwe berichten en antwoorden en dan ‘Opslaan’.',
      ],
    },
    new_outlook: {
      name: 'Nieuwe Outlook voor Windows en Mac',
      steps: [
        copy,
        'Open de instellingen: het tandwiel rechtsboven in Windows, ‘Outlook’ en ‘Instellingen’ op een Mac.',
        'Ga naar ‘Accounts’ en dan ‘Handtekeningen’ (op een Mac meteen ‘Handtekeningen’).',
        'Voeg een handtekening toe, of open die u hebt, en plak.',
        'Kies haar als standaard voor nieuwe berichten en antwoorden, en sla op.',
      ],
    },
    classic_outlook: {
      name: 'Klassieke Outlook voor Windows',
      steps: [
        copy,
        'Ga naar ‘Bestand’, ‘Opties’, ‘E-mail’ en dan ‘Handtekeningen…’.',
        'Kies ‘Nieuw’ en geef een naam.',
        'Klik in het vak en plak met Ctrl+V.',
        'Kies haar rechtsboven voor nieuwe berichten en antwoorden en dan ‘OK’.',
      ],
    },
    outlook_phone: {
      name: 'Outlook op een telefoon',
      steps: [
        'Open deze pagina op de telefoon en kies ‘Handtekening kopiëren’.',
        'Tik in Outlook linksboven op uw foto en dan op het tandwiel.',
        'Tik op ‘Handtekening’, verwijder wat er staat, houd uw vinger op het lege vak en plak.',
        'Ga terug; ze is opgeslagen.',
      ],
      note: 'Sommige telefoons bewaren alleen de tekst. Dan is ‘Als platte tekst kopiëren’ netter.',
    },
    apple_mail: {
      name: 'Apple Mail',
      steps: [
        copy,
        'Kies in Mail op de Mac ‘Mail’, ‘Instellingen’ en dan ‘Handtekeningen’.',
        'Kies links uw account, dan ‘+’, en geef de handtekening een naam.',
        'Haal het vinkje weg bij ‘Gebruik altijd mijn standaardlettertype’.',
        'Selecteer de tekst rechts en plak eroverheen. Sluit het venster; ze is opgeslagen.',
      ],
      note: 'In dat venster kunnen afbeeldingen ontbreken. In uw mails staan ze wel. Op een iPhone: ‘Instellingen’, ‘Apps’, ‘Mail’, ‘Handtekening’.',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Kies hierboven ‘HTML-broncode kopiëren’.',
        'Open in Thunderbird het menu (☰), kies ‘Accountinstellingen’ en dan uw account.',
        'Vink ‘HTML gebruiken’ aan naast ‘Ondertekeningstekst’.',
        'Plak in het vak eronder. Het wordt vanzelf opgeslagen.',
      ],
    },
  },
  details: {
    title: 'Uw gegevens',
    intro: 'Verbeter wat niet klopt. Uw handtekening volgt.',
    save: 'Opslaan',
    done: {
      saved: 'Opgeslagen. Uw handtekening toont het nu.',
      waiting: 'Verstuurd. Na goedkeuring staat het in uw handtekening.',
      removed: 'De foto is verwijderd.',
      withdrawn: 'Uw verzoek is ingetrokken.',
    },
    needsApproval: 'Een wijziging moet worden goedgekeurd.',
    waits: current => `Wacht op goedkeuring. Tot dan toont uw handtekening: ${current}`,
    waitsForRemoval: 'Wacht op goedkeuring: de waarde wordt verwijderd.',
    approved: 'Goedgekeurd. Uw handtekening toont het nu.',
    approvedRemoval: 'Goedgekeurd: de waarde is verwijderd.',
    rejected: value => `Niet goedgekeurd: ${value}`,
    reason: text => `Reden: ${text}`,
    withdraw: 'Intrekken',
    empty: 'niets',
    problems: {
      text: 'Deze waarde is niet geldig.',
      url: 'Dit is geen webadres zoals https://example.com.',
      email: 'Dit is geen e-mailadres.',
      phone: 'Dit is geen telefoonnummer zoals +31 20 123 4567.',
      too_long: 'Dit is te lang: hoogstens 5.000 tekens.',
      locked: 'Deze waarde kan hier niet meer worden gewijzigd.',
    },
    someWrong: 'Er is nog niets opgeslagen: verbeter de gemarkeerde velden.',
  },
  picture: {
    none: 'Nog geen foto',
    add: 'Foto toevoegen',
    change: 'Foto wijzigen',
    remove: 'Verwijderen',
    waits: 'Deze foto wacht op goedkeuring.',
    approved: 'Deze foto is goedgekeurd.',
    rejected: 'Deze foto is niet goedgekeurd.',
    needsScript: 'Voor het wijzigen van de foto is JavaScript nodig.',
    crop: 'Kies het deel dat te zien is',
    cropHelp: 'Sleep de foto of verplaats haar met de pijltoetsen. Zoom met + en −.',
    zoom: 'Zoom',
    use: 'Deze foto gebruiken',
    cancel: 'Annuleren',
    sending: 'De foto wordt verstuurd …',
    unreadable: 'Dit bestand is geen afbeelding die uw browser kan openen. Kies een JPEG of PNG.',
    failed: 'De foto kon niet worden opgeslagen. Probeer het opnieuw.',
    limited: 'Te veel wijzigingen in korte tijd. Probeer het over een paar minuten opnieuw.',
  },
  fields: {
    first_name: 'Voornaam',
    last_name: 'Achternaam',
    job_title: 'Functie',
    department: 'Afdeling',
    company: 'Bedrijf',
    work_phone: 'Telefoon werk',
    mobile_phone: 'Mobiele telefoon',
    calendar_link: 'Agendalink',
    profile_picture: 'Profielfoto',
  },
  oldLink: {
    title: 'Deze link is oud',
    explanation: address =>
      `Voor uw veiligheid werken links naar persoonlijke pagina’s een beperkte tijd. We sturen graag een nieuwe naar ${address}.`,
    button: 'Stuur mij een nieuwe link',
    sentTitle: 'Kijk in uw mailbox',
    sent: address =>
      `Een nieuwe link is onderweg naar ${address}. Komt hij niet binnen een paar minuten aan, kijk dan in de spammap of probeer het later opnieuw.`,
    withoutMail: 'Vraag een nieuwe link aan de persoon die in uw bedrijf de handtekeningen beheert.',
  },
  missing: {
    title: 'Deze pagina is er niet',
    explanation:
      'De link is niet volledig, of is vervangen door een nieuwe. Vraag de actuele link aan de persoon die hem heeft gestuurd.',
  },
  problem: {
    title: 'Dat is niet gelukt',
    cross_origin: 'Een andere website heeft dit formulier verstuurd. Er is niets gewijzigd.',
    rate_limited: 'Er waren te veel wijzigingen in korte tijd. Probeer het over een paar minuten opnieuw.',
    unreadable_form: 'Het formulier kon niet worden gelezen. Er is niets gewijzigd.',
    unavailable: 'Er is bij ons iets misgegaan. Probeer het zo opnieuw.',
    back: 'Terug naar uw pagina',
  },
  privacy:
    'Deze pagina is alleen voor u: een persoon met het adres ervan kan zien en wijzigen wat u hier ziet.',
}
