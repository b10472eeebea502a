import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { clusterFacts, withClusterFacts } from '../../src/core/planning/cluster/clusterFacts.js';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { readPlanFile } from '../../src/core/planning/inputs/planFile.js';
import { writePlanFile } from '../../src/core/planning/inputs/writePlanFile.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys, type InputProblem } from '../../src/core/planning/inputs/planInputs.js';
import type { PresetId } from '../../src/core/planning/inputs/presetNames.js';
import { documentOfPreset, presetOf } from '../../src/core/planning/inputs/presets.js';
import { claimNeeds } from '../../src/core/planning/export/volumeClaim.js';
import { makePlan } from '../../src/core/planning/storagePlan.js';
import type { ExportedPlan, ExportId } from '../../src/core/pages/plan/planExports.js';
import type { SectionId } from '../../src/core/pages/plan/planSection.js';
import { planPage } from '../../src/core/pages/plan/planPage.js';
import { listed } from '../../src/core/text/quantities.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { onDisclosure } from '../shared/disclosure.js';
import { PanelController } from '../shared/panelController.js';
import { inputsPageStyles } from '../shared/inputsPageStyles.js';
import { saidStyles } from '../shared/saidStyles.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import '../shared/skeleton.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import './adviceView.js';
import './comparisonView.js';
import './answerTiles.js';
import './inputsView.js';
import './contentsView.js';
import { withInput, withoutInput } from './planEdits.js';
import { copyOf, exportOf } from './planExport.js';
import { onPlannerEvent, type PlannerAction } from './plannerEvents.js';
import './plannerHeader.js';
import type { PlannerHost } from './plannerHost.js';
import { restorePlannerState, type PlannerState } from './plannerState.js';
import './problemsView.js';
import './risksView.js';
import type { SectionView } from './sectionView.js';
import './sectionView.js';
import './stepsView.js';
import { stowagePlannerStyles } from './stowagePlannerStyles.js';

type Phase = { kind: 'loading' } | { kind: 'plan'; shown: ExportedPlan } | { kind: 'failed'; failure: string };

/** The tiles, the recommendation, inputs and answers. */
const rows: readonly SkeletonRow[] = [{ heightPx: 40, count: 4 }, { heightPx: 76 }, { heightPx: 320 }];

/** How long after the last key the file gets the change, in milliseconds. */
const pauseMs = 250;

/** How far below the top of the page an answer counts as the one that is read: below the row of links, in pixels. */
const readFromTop = 72;

/** The plan panel: keeps the plan, answers every change within a frame, and has the host keep the file. */
@customElement('stowage-planner')
export class StowagePlanner extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, saidStyles, inputsPageStyles, stowagePlannerStyles];

  @state() private phase: Phase = { kind: 'loading' };
  @state() private fileName = '';
  @state() private isChanged = false;
  @state() private current: SectionId | null = null;
  /** The answer after a change, read out once the typing stops. */
  @state() private answer = '';
  private readonly panel = new PanelController<PlannerHost, PlannerState>(this, { restore: restorePlannerState });
  /** A change that the host does not know yet. */
  private pending: PlanDocument | null = null;
  private changeTimer: ReturnType<typeof setTimeout> | undefined;
  /** The frame that shows the pending change; 0 where it is shown. */
  private frame = 0;

  /** Takes the connection, restores where the reader stood, and tells the host that the page is ready. */
  connect(host: PlannerHost): void {
    this.panel.connect(host);
    host.endpoint.on('plan', ({ text, fileName }) => this.onPlan(text, fileName));
    host.endpoint.on('file', ({ fileName, isChanged }) => {
      this.fileName = fileName;
      this.isChanged = isChanged;
    });
    this.listen();
    host.endpoint.send('ready', {});
  }

  override render(): TemplateResult {
    const { phase } = this;
    return html`<main>
        <stowage-planner-header
          .fileName=${this.fileName}
          .isChanged=${this.isChanged}
          .hasPlan=${phase.kind === 'plan'}
        ></stowage-planner-header>
        ${phase.kind === 'loading' ? html`<stowage-skeleton .rows=${rows} words="Opening the plan"></stowage-skeleton>` : nothing}
        ${phase.kind === 'failed' ? this.renderFailure(phase.failure) : nothing}
        ${phase.kind === 'plan' ? this.renderPlan(phase.shown) : nothing}
      </main>
      <div class="visually-hidden" role="status">${this.answer}</div>
      ${this.panel.renderSaid()}`;
  }

  private renderPlan({ document, plan, page, problems }: ExportedPlan): TemplateResult {
    const { opened, alternatives } = this.panel.view;
    return html`${problems.length === 0 ? nothing : html`<stowage-plan-problems .problems=${problems}></stowage-plan-problems>`}
      <stowage-plan-advice .page=${page}></stowage-plan-advice>
      <stowage-plan-tiles .numbers=${page.numbers}></stowage-plan-tiles>
      <stowage-plan-steps .steps=${page.actions}></stowage-plan-steps>
      <div class="columns">
        <stowage-plan-inputs class="inputs" .document=${document} .plan=${plan} .opened=${opened}></stowage-plan-inputs>
        ${page.risks.length === 0 ? nothing : html`<stowage-plan-risks class="risks" .risks=${page.risks}></stowage-plan-risks>`}
        <div class="answers">
          <stowage-plan-contents .sections=${page.sections} .current=${this.current}></stowage-plan-contents>
          ${repeat(
            page.sections,
            ({ id }) => id,
            (section) => html`<stowage-plan-section .section=${section} .opened=${opened}></stowage-plan-section>`,
          )}
          <stowage-plan-comparison
            .document=${document}
            .plan=${plan}
            .alternatives=${alternatives}
            .opened=${opened}
          ></stowage-plan-comparison>
        </div>
      </div>`;
  }

  private renderFailure(failure: string): TemplateResult {
    return html`<section class="failure" role="alert">
      <p>This file cannot be read as a plan: ${visibleText(failure)}. Nothing in it was changed.</p>
      <button class="quiet" @click=${() => this.act('open-text')}>Open as text</button>
    </section>`;
  }

  private listen(): void {
    onPlannerEvent(this, 'plan-input', ({ key, value }) => this.edit((document) => withInput(document, key, value)));
    onPlannerEvent(this, 'plan-reset', (key) => this.edit((document) => withoutInput(document, key)));
    onPlannerEvent(this, 'plan-preset', (id) => this.choosePreset(id));
    onPlannerEvent(this, 'plan-commit', () => void this.tellHost());
    onDisclosure(this, ({ id, isOpen }) => this.panel.changeView({ opened: { ...this.panel.view.opened, [id]: isOpen } }));
    onPlannerEvent(this, 'plan-go', (id) => this.sectionOf(id)?.reveal());
    onPlannerEvent(this, 'plan-alternatives', (alternatives) => this.panel.changeView({ alternatives }));
    onPlannerEvent(this, 'plan-copy', ({ text, what }) => void this.copy(text, visibleText(what)));
    onPlannerEvent(this, 'plan-action', (action) => this.act(action));
    onPlannerEvent(this, 'plan-export', (id) => void this.export(id));
    let scrollTimer: ReturnType<typeof setTimeout> | undefined;
    window.addEventListener('scroll', () => {
      this.current = this.sectionInView();
      clearTimeout(scrollTimer);
      scrollTimer = setTimeout(() => this.panel.changeView({ scroll: Math.round(window.scrollY) }), pauseMs);
    });
  }

  /** The last section whose heading has passed the row of links; at the end of the page the last one. */
  private sectionInView(): SectionId | null {
    const { scrollingElement: page } = document;
    const sections = [...this.renderRoot.querySelectorAll('stowage-plan-section')];
    const isAtEnd = page !== null && page.scrollTop > 0 && page.scrollTop + page.clientHeight >= page.scrollHeight - 1;
    const passed = isAtEnd ? sections : sections.filter((section) => section.getBoundingClientRect().top < readFromTop);
    return passed.at(-1)?.section.id ?? null;
  }

  private sectionOf(id: SectionId): SectionView | undefined {
    return [...this.renderRoot.querySelectorAll('stowage-plan-section')].find(({ section }) => section.id === id);
  }

  private onPlan(text: string, fileName: string): void {
    const isFirst = this.phase.kind === 'loading';
    const read = readPlanFile(text);
    // What the host has is newer than what was being typed: an undo, or another editor.
    this.forgetPending();
    this.fileName = fileName;
    document.title = visibleText(fileName);
    if ('failure' in read) this.phase = { kind: 'failed', failure: read.failure };
    else this.show(read.document, read.problems);
    if (isFirst && this.panel.view.scroll > 0) void this.scrollBack(this.panel.view.scroll);
  }

  /** After the charts have their height. */
  private async scrollBack(top: number): Promise<void> {
    await this.updateComplete;
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo({ top, behavior: 'instant' })));
  }

  private show(document: PlanDocument, problems: InputProblem[]): void {
    const plan = makePlan(document);
    this.phase = { kind: 'plan', shown: { document, plan, page: planPage(plan, document, Date.now()), problems } };
  }

  private edit(change: (document: PlanDocument) => PlanDocument): void {
    if (this.phase.kind !== 'plan') return;
    this.pending = change(this.pending ?? this.phase.shown.document);
    // With the frame: a page that changes while the engine handles the key is laid out once more for each step of that.
    this.frame ||= requestAnimationFrame(() => this.showPending());
    clearTimeout(this.changeTimer);
    this.changeTimer = setTimeout(() => void this.tellHost(), pauseMs);
  }

  private showPending(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.pending !== null && this.phase.kind === 'plan') this.show(this.pending, this.phase.shown.problems);
  }

  private choosePreset(id: PresetId): void {
    const preset = presetOf(id);
    if (preset === null) return;
    this.edit(() => documentOfPreset(preset));
    void this.tellHost();
  }

  private forgetPending(): void {
    clearTimeout(this.changeTimer);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.pending = null;
  }

  /** Sends what is pending, if anything is. */
  private async tellHost(): Promise<void> {
    const { pending } = this;
    if (pending === null) return;
    this.showPending();
    this.forgetPending();
    this.answer = this.phase.kind === 'plan' ? answerOf(this.phase.shown) : '';
    await this.panel.attempt(
      'The change was not kept',
      this.panel.connection?.endpoint.request('change', { text: writePlanFile(pending) }),
    );
  }

  private act(action: PlannerAction): void {
    void this.carryOut(action);
  }

  private async carryOut(action: PlannerAction): Promise<void> {
    const { panel } = this;
    const endpoint = panel.connection?.endpoint;
    await this.tellHost();
    switch (action) {
      case 'save':
        await panel.attempt('Not saved', endpoint?.request('save', {}));
        return;
      case 'open-text':
        await panel.attempt('Not opened', endpoint?.request('openText', {}));
        return;
      case 'read-cluster':
        await panel.attempt('Not read', this.readCluster(), (taken) => taken);
        return;
      case 'copy':
        if (this.phase.kind === 'plan') await this.copy(copyOf(this.phase.shown), 'the plan as Markdown');
    }
  }

  /** Takes over what the cluster's programs say. @returns what was taken, in a sentence; empty where nothing was run */
  private async readCluster(): Promise<string> {
    const read = (await this.panel.connection?.endpoint.request('readCluster', {})) ?? null;
    if (read === null || this.phase.kind !== 'plan') return '';
    const facts = clusterFacts(read.outputs, read.place, null);
    const before = this.phase.shown.document;
    this.edit((document) => withClusterFacts(document, facts));
    this.showPending();
    const { inputs } = this.phase.shown.document;
    const taken = planKeys.filter((key) => inputs[key] !== before.inputs[key]);
    await this.tellHost();
    const left = facts.problems.map(({ key, text }) => `${key} ${text}.`);
    const what = taken.length === 0 ? 'Nothing that is new.' : `Taken: ${listed(taken.map((key) => planFields[key].label))}.`;
    return visibleText([what, ...left].join(' '));
  }

  private async copy(text: string, what: string): Promise<void> {
    const copied = this.panel.connection?.endpoint.request('copyText', { text });
    await this.panel.attempt('Nothing was copied', copied, () => `Copied: ${what}`);
  }

  private async export(id: ExportId): Promise<void> {
    await this.tellHost();
    if (this.phase.kind !== 'plan') return;
    const { shown } = this.phase;
    const endpoint = this.panel.connection?.endpoint;
    const volume = id === 'kubernetes' ? await endpoint?.request('askVolume', { hint: claimNeeds(shown.plan).hint }) : '';
    if (volume == null) return;
    const exported = endpoint?.request('exportPlan', exportOf(id, shown, this.fileName, volume));
    await this.panel.attempt('Not exported', exported, (name) => (name === null ? '' : `Exported: ${visibleText(name)}`));
  }
}

/** The first thing that the page says. */
function answerOf({ page }: ExportedPlan): string {
  const [problem] = page.impossible;
  if (problem !== undefined) return visibleText(`${problem.title} ${problem.advice}`);
  return visibleText(page.headline);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-planner': StowagePlanner;
  }
}
