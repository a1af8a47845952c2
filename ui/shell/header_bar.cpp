// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/header_bar.h"

#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"
#include "widgets/pill.h"
#include "widgets/switch.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace outbox::ui {

HeaderBar::HeaderBar(api::ConsolePort &port, Feed &feed, QWidget *parent)
    : QFrame(parent), port_(port), feed_(feed), store_(makeHeading({}, this)), health_(new Pill(this)),
      dispatch_(new Switch(this)), interval_(new QComboBox(this)), pause_(new QPushButton(this))
{
    setProperty("look", QStringLiteral("bar"));
    setFixedHeight(44);
    for (const int each : {1, 2, 5, 15, 60})
        interval_->addItem(tr("Every %1 s").arg(each), each);
    interval_->setAccessibleName(tr("How often the window asks the store"));
    auto *goTo = new QPushButton(tr("Go to an id… Ctrl+K"), this);
    goTo->setAccessibleName(tr("Go to a record by its id"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme::gap, 0, theme::gap, 0);
    layout->setSpacing(theme::gap);
    layout->addWidget(store_);
    layout->addWidget(health_);
    layout->addWidget(dispatch_);
    layout->addStretch();
    layout->addWidget(interval_);
    layout->addWidget(pause_);
    layout->addWidget(goTo);
    connect(interval_, &QComboBox::activated, this,
            [this] { feed_.setInterval(seconds{interval_->currentData().toInt()}); });
    connect(pause_, &QPushButton::clicked, this, [this] { feed_.setPaused(!feed_.isPaused()); });
    connect(goTo, &QPushButton::clicked, this, &HeaderBar::goToWanted);
    connect(&feed_, &Feed::pausedChanged, this, &HeaderBar::showPaused);
    connect(dispatch_, &Switch::toggleWanted, this, [this](bool on) { port_.setDispatching(on); });
    connect(&port_, &api::ConsolePort::storeStatusChanged, this, &HeaderBar::showStore);
    connect(&port_, &api::ConsolePort::dispatcherStatusChanged, this, &HeaderBar::showDispatcher);
    showStore(port_.storeStatus());
    showDispatcher(port_.dispatcherStatus());
    showPaused(feed_.isPaused());
}

void HeaderBar::showStore(const api::StoreStatus &status)
{
    store_->setText(status.store);
    const auto tone = status.condition == api::StoreCondition::ready
                          ? (status.mayReplay ? Pill::Tone::good : Pill::Tone::warning)
                      : status.condition == api::StoreCondition::connecting ? Pill::Tone::quiet
                                                                            : Pill::Tone::bad;
    health_->show(tone, text::storeCondition(status));
    health_->setToolTip(status.reason);
}

void HeaderBar::showDispatcher(const api::DispatcherStatus &status)
{
    using Phase = api::DispatcherStatus::Phase;
    const bool on = status.phase == Phase::running || status.phase == Phase::starting;
    const QString word = status.phase == Phase::running    ? tr("on")
                         : status.phase == Phase::starting ? tr("starting")
                         : status.phase == Phase::stopping ? tr("stopping")
                                                           : tr("off");
    dispatch_->show(on, tr("This computer dispatches:"), word,
                    status.phase == Phase::off ? QString() : tr("· %1 in flight").arg(text::number(status.inFlight)));
    dispatch_->setEnabled(status.phase == Phase::off || status.phase == Phase::running);
    dispatch_->setToolTip(status.destinations.isEmpty()
                              ? tr("No destination is configured here.")
                              : tr("To %1. Accepted %2, failed %3, refused late outcomes %4 since it was switched on.")
                                    .arg(status.destinations.join(QStringLiteral(", ")), text::number(status.accepted),
                                         text::number(status.failed), text::number(status.refused)));
}

void HeaderBar::showPaused(bool paused)
{
    pause_->setText(paused ? tr("Resume") : tr("Pause"));
    pause_->setAccessibleName(paused ? tr("Ask the store again") : tr("Stop asking the store"));
    pause_->setIcon(theme::icon(paused ? QStringLiteral("resume") : QStringLiteral("pause")));
    interval_->setEnabled(!paused);
}

} // namespace outbox::ui
