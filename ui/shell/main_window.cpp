// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/main_window.h"

#include "shell/banner.h"
#include "shell/header_bar.h"
#include "shell/navigation.h"
#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QShortcut>
#include <QStackedWidget>
#include <QTimeZone>
#include <QVBoxLayout>

namespace outbox::ui {

MainWindow::MainWindow(api::ConsolePort &port, QWidget *parent)
    : QMainWindow(parent), port_(port), feed_(new Feed(port, this)), catalogue_(pageCatalogue()),
      navigation_(new Navigation(this)), banner_(new Banner(this)), stack_(new QStackedWidget(this))
{
    setWindowTitle(tr("Outbox Console"));
    setWindowIcon(QIcon(QStringLiteral(":/outbox/icons/outbox-console.svg")));
    resize(1440, 900);
    setMinimumSize(1024, 640);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(navigation_);
    middle->addWidget(makeLine(Qt::Vertical, this));
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(banner_);
    right->addWidget(stack_, 1);
    middle->addLayout(right, 1);
    auto *header = new HeaderBar(port_, *feed_, this);
    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    layout->addWidget(makeLine(Qt::Horizontal, this));
    layout->addLayout(middle, 1);
    layout->addWidget(makeLine(Qt::Horizontal, this));
    layout->addWidget(makeStatus());
    setCentralWidget(centre);
    addPages();

    connect(navigation_, &Navigation::chosen, this, [this](int page) { showPage(page); });
    connect(header, &HeaderBar::goToWanted, this, &MainWindow::goTo);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_K), this), &QShortcut::activated, this, &MainWindow::goTo);
    connect(new QShortcut(QKeySequence::Refresh, this), &QShortcut::activated, feed_, &Feed::refresh);
    connect(feed_, &Feed::ticked, this, [this] {
        if (isVisible())
            pages_[stack_->currentIndex()]->refresh();
    });
    connect(feed_, &Feed::overviewChanged, this, &MainWindow::showCondition);
    connect(&port_, &api::ConsolePort::storeStatusChanged, this, &MainWindow::showCondition);
    connect(&port_, &api::ConsolePort::logLine, this, [this](const QString &line) {
        log_->setText(log_->fontMetrics().elidedText(line, Qt::ElideRight, 720));
        log_->setToolTip(line);
    });
    showPage(0);
    showCondition();
    // Where the keyboard begins: on a switch, the space bar of a careless hand would stop the dispatcher.
    navigation_->button(0)->setFocus();
}

void MainWindow::addPages()
{
    for (int i = 0; i < catalogue_.size(); ++i) {
        const PageEntry &entry = catalogue_[i];
        navigation_->add(entry.id, entry.name);
        Page *page = entry.make({port_, *feed_}, stack_);
        page->setAccessibleName(entry.name);
        stack_->addWidget(page);
        pages_.append(page);
        connect(page, &Page::recordWanted, this, &MainWindow::showRecord);
        connect(page, &Page::deadLettersWanted, this, [this] { showPage(QStringLiteral("dead_letters")); });
        auto *shortcut = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)), this);
        connect(shortcut, &QShortcut::activated, this, [this, i] { showPage(i); });
    }
}

QWidget *MainWindow::makeStatus()
{
    auto *bar = new QFrame(this);
    bar->setProperty("look", QStringLiteral("bar"));
    bar->setFixedHeight(26);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(theme::gap, 0, theme::gap, 0);
    layout->setSpacing(24);
    refreshed_ = makeCaption({}, bar);
    zone_ = makeCaption(QString::fromUtf8(QTimeZone::systemTimeZoneId()), bar);
    zone_->setToolTip(tr("Times are shown in this zone; the pointer on a time shows UTC."));
    log_ = makeCaption({}, bar);
    log_->setAccessibleName(tr("Newest line of the log"));
    layout->addWidget(refreshed_);
    layout->addWidget(zone_);
    layout->addStretch();
    layout->addWidget(log_);
    return bar;
}

void MainWindow::showPage(int index)
{
    navigation_->setCurrent(index);
    stack_->setCurrentIndex(index);
}

void MainWindow::showPage(const QString &id)
{
    for (int i = 0; i < catalogue_.size(); ++i)
        if (catalogue_[i].id == id)
            showPage(i);
}

void MainWindow::showRecord(const MessageId &id)
{
    showPage(QStringLiteral("records"));
    pages_[stack_->currentIndex()]->showRecord(id);
}

void MainWindow::goTo()
{
    if (pages_[stack_->currentIndex()]->focusSearch())
        return;
    showPage(QStringLiteral("records"));
    pages_[stack_->currentIndex()]->focusSearch();
}

void MainWindow::showCondition()
{
    const auto &overview = feed_->overview();
    const QString received = QLocale().toString(overview.receivedAt, QStringLiteral("HH:mm:ss"));
    refreshed_->setText(overview.value ? tr("Refreshed %1").arg(received) : tr("Not refreshed yet"));
    const std::int64_t dead = overview.value ? overview.value->deadLetters.value : 0;
    for (int i = 0; i < catalogue_.size(); ++i)
        if (catalogue_[i].id == QStringLiteral("dead_letters"))
            navigation_->button(i)->setBadge(dead > 999 ? tr("999+") : dead > 0 ? text::number(dead) : QString());
    const api::StoreStatus store = port_.storeStatus();
    const auto withAge = [&](QString text) {
        if (!text.isEmpty() && !text.endsWith(u'.'))
            text += u'.';
        return overview.value ? tr("%1 What is shown is of %2.").arg(text, received) : text;
    };
    if (store.condition == api::StoreCondition::unavailable)
        banner_->show(text::storeCondition(store), withAge(store.reason));
    else if (overview.error)
        banner_->show(tr("The store did not answer"), withAge(overview.error->text));
    else
        banner_->show({}, {});
}

void MainWindow::updateWatched() { feed_->setWatched(isVisible() && !isMinimized()); }

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        updateWatched();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    updateWatched();
    feed_->refresh();
}

void MainWindow::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    updateWatched();
}

} // namespace outbox::ui
